//===- core/graph/Graphviz.cpp - Graphviz's library, kept in one place ----===//
//
// Each call frees its graph; the context lives as long as the process. Messages
// are caught by a handler of ours; there is one of each, hence the mutex.
//
//===----------------------------------------------------------------------===//

#include "core/graph/Graphviz.h"

#include "core/files/Shipped.h"

#include <graphviz/cgraph.h>
#include <graphviz/gvc.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <deque>
#include <memory>
#include <mutex>

namespace memreflens::graph {

namespace {

/// Of a bitmap; past it the resolution is lowered. Cairo rejects more than
/// 32,767 in one direction, and 40 million pixels take 160 MB.
constexpr double maxPixels = 4e7;
constexpr double maxSide = 32000;
constexpr double fullResolution = 144;

std::mutex graphvizMutex;
std::string *messages = nullptr;

int keepMessage(char *text) {
  // Messages come in pieces: "Error: ", then the sentence.
  if (messages && messages->size() < 4000)
    *messages += text;
  return 0;
}

//===--- Names ------------------------------------------------------------===//

/// Graphviz numbers things by the address of their name, and draws clusters in
/// that order; numbers by first use make two runs equal.
struct Names {
  std::map<std::string, IDTYPE> numbers;
  std::deque<std::string> texts;
};

void *openNames(Agraph_t *, Agdisc_t *) { return new Names; }
void closeNames(void *names) { delete static_cast<Names *>(names); }

long mapName(void *state, int, char *text, IDTYPE *id, int create) {
  Names &names = *static_cast<Names *>(state);
  if (!text) {
    // Without a name: an odd number, so that it is nobody's.
    names.texts.emplace_back();
    *id = 2 * names.texts.size() + 1;
    return 1;
  }
  auto found = names.numbers.find(text);
  if (found == names.numbers.end()) {
    if (!create)
      return 0;
    names.texts.emplace_back(text);
    found = names.numbers.emplace(text, 2 * names.texts.size()).first;
  }
  *id = found->second;
  return 1;
}

long allocateName(void *, int, IDTYPE) { return 0; }
void freeName(void *, int, IDTYPE) {}
void registerName(void *, int, void *) {}

char *printName(void *state, int, IDTYPE id) {
  Names &names = *static_cast<Names *>(state);
  if (id % 2 != 0 || id == 0 || id / 2 > names.texts.size())
    return nullptr;
  return names.texts[id / 2 - 1].data();
}

struct Reader {
  std::string_view rest;
};

int readSome(void *channel, char *buffer, int size) {
  std::string_view &rest = static_cast<Reader *>(channel)->rest;
  size_t count = std::min(rest.size(), size_t(size));
  std::copy_n(rest.data(), count, buffer);
  rest.remove_prefix(count);
  return int(count);
}

Agraph_t *graphOf(const std::string &dot) {
  static Agiddisc_t numbering{openNames, mapName,    allocateName, freeName,
                              printName, closeNames, registerName};
  static Agiodisc_t reading{readSome, AgIoDisc.putstr, AgIoDisc.flush};
  static Agdisc_t disciplines{&AgMemDisc, &numbering, &reading};
  Reader reader{dot};
  return agread(&reader, &disciplines);
}

/// With fonts of our own labels are measured alike everywhere, and on a system
/// that has none. Fontconfig takes its file from the environment alone.
GVC_t *newContext() {
  if (std::string fonts = shippedFile("fonts.conf"); !fonts.empty())
    setenv("FONTCONFIG_FILE", fonts.c_str(), /*replace=*/0);
  return gvContext();
}

/// Holds Graphviz for one call and collects what it says.
class Session {
public:
  Session() : lock(graphvizMutex) {
    messages = &said;
    agseterrf(keepMessage);
    agseterr(AGWARN);
    // One for the process: the pango plugin remembers a font's name that
    // belongs to the first context, and would read it after that is freed.
    static GVC_t *const shared = newContext();
    context = shared;
  }
  ~Session() {
    if (isLaidOut)
      gvFreeLayout(context, graph);
    if (graph)
      agclose(graph);
    agseterrf(nullptr);
    messages = nullptr;
  }
  Session(const Session &) = delete;

  bool hasPlugin(const char *kind, const std::string &name) {
    int count = 0;
    char **list = gvPluginList(context, kind, &count, nullptr);
    bool found = false;
    for (int i = 0; i < count; ++i) {
      found |= name == list[i];
      free(list[i]);
    }
    free(list);
    return found;
  }

  bool lay(const std::string &dot, const char *engine) {
    graph = graphOf(dot);
    isLaidOut = graph && gvLayout(context, graph, engine) == 0;
    return isLaidOut;
  }

  /// What was said, on one line.
  std::string words() const {
    std::string out = said;
    std::replace(out.begin(), out.end(), '\n', ' ');
    while (!out.empty() && out.back() == ' ')
      out.pop_back();
    return out;
  }

  std::lock_guard<std::mutex> lock;
  GVC_t *context = nullptr;
  Agraph_t *graph = nullptr;
  bool isLaidOut = false;
  std::string said;
};

std::string errorOf(const Session &session, const std::string &what) {
  std::string words = session.words();
  return words.empty() ? what : what + ": " + words;
}

/// Dots an inch at which the bitmap stays in bounds.
double resolutionFor(Agraph_t *graph) {
  boxf box = GD_bb(graph);
  double width = (box.UR.x - box.LL.x) / 72 + 1;
  double height = (box.UR.y - box.LL.y) / 72 + 1;
  double side = std::max(width, height);
  return std::floor(std::min({fullResolution, maxSide / side,
                              std::sqrt(maxPixels / (width * height))}) *
                    10) /
         10;
}

} // namespace

Rendering render(const RenderRequest &request) {
  Session session;
  Rendering out;
  bool isBitmap = request.format.starts_with("png");
  if (isBitmap && !session.hasPlugin("device", "png")) {
    out.error = "graphviz has no plugin for PNG; on Debian and Ubuntu it is in "
                "the package libgvc6 (its pango and cairo plugin), and "
                "`dot -c` registers it";
    return out;
  }
  if (!session.lay(request.dot, request.engine.c_str())) {
    out.error = errorOf(session, "graphviz could not lay the picture out");
    return out;
  }
  if (isBitmap) {
    double resolution = resolutionFor(session.graph);
    GD_drawing(session.graph)->dpi = resolution;
    if (resolution < fullResolution)
      out.note = "the picture is large, so it was drawn with " +
                 std::to_string(int(resolution)) + " dots an inch, not " +
                 std::to_string(int(fullResolution)) +
                 "; SVG has no such limit";
  }
  char *bytes = nullptr;
  unsigned length = 0;
  int failed = gvRenderData(session.context, session.graph,
                            request.format.c_str(), &bytes, &length);
  if (!failed && bytes)
    out.bytes.assign(bytes, length);
  if (bytes)
    gvFreeRenderData(bytes);
  std::string words = session.words();
  bool hasFailed = words.find("Error:") != std::string::npos;
  if (out.bytes.empty() || hasFailed) {
    out.bytes.clear();
    out.error = errorOf(session, "graphviz could not write the picture");
  } else if (!words.empty()) {
    out.note += (out.note.empty() ? "graphviz: " : "; graphviz: ") + words;
  }
  return out;
}

Measured measure(const std::string &dot) {
  Session session;
  Measured out;
  if (!session.lay(dot, "nop2")) {
    out.error = errorOf(session, "graphviz could not measure the labels");
    return out;
  }
  for (Agnode_t *node = agfstnode(session.graph); node;
       node = agnxtnode(session.graph, node))
    out.sizes[agnameof(node)] = {ND_width(node) * 72, ND_height(node) * 72};
  return out;
}

} // namespace memreflens::graph
