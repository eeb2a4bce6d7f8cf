-- Opens a file in Neovim with the server, and prints what a user would see:
-- diagnostics, and the hover under the cursor. Arguments come as environment.
local server = vim.env.SERVER
local client = vim.lsp.start_client({
  name = "memref-lens",
  cmd = { server, "--crash-dir=off" },
  root_dir = vim.fn.getcwd(),
})
vim.lsp.buf_attach_client(0, client)
vim.wait(20000, function() return #vim.diagnostic.get(0) >= 2 end, 20)
for _, one in ipairs(vim.diagnostic.get(0)) do
  io.write(string.format("diagnostic %d: %s\n", one.lnum, one.message))
end
-- An edit through Neovim's own incremental sync.
vim.api.nvim_buf_set_lines(0, 0, 0, false, { "// é", "// x" })
vim.fn.search("%copy = ")
local params = vim.lsp.util.make_position_params()
local found = vim.lsp.buf_request_sync(0, "textDocument/hover", params, 20000)
for _, answer in pairs(found or {}) do
  io.write("hover: " .. (answer.result and answer.result.contents.value or "none")
    .. "\n")
end
vim.cmd("qa!")
