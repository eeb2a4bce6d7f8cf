#!/usr/bin/env python3
"""A server of somebody else's, with a dialect for some URIs only."""
import sys

from client import Client, at

TEXT = """func.func @f(%a: memref<4xf32>) {
  %0 = memref.alloc() : memref<4xf32>
  "tiny.use"(%0) : (memref<4xf32>) -> ()
  return
}
"""

client = Client([sys.argv[1], "--crash-dir=off"])
found = {}
for uri in ["file:///a.tiny.mlir", "file:///a.mlir"]:
    client.open(uri, TEXT)
    found[uri] = [one["message"]
                  for one in client.diagnostics(uri, 1, lambda d: d, 20)]
    hover = client.result("textDocument/hover", at(uri, 2, 4))
    assert '"tiny.use"' in hover["contents"]["value"], hover
    assert len(found[uri]) == 1, found
# Known, the op is refused for what nobody knows of it; unknown, it is no op.
assert "the memory effects of tiny.use are unknown" in \
    found["file:///a.tiny.mlir"][0], found
assert "unregistered" in found["file:///a.mlir"][0], found
assert client.close() == 0
print("embedding: ok")
