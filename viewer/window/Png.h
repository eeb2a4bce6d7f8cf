//===- viewer/window/Png.h - pixels as a PNG file -------------------------===//

#ifndef MEMREFLENS_VIEWER_WINDOW_PNG_H
#define MEMREFLENS_VIEWER_WINDOW_PNG_H

#include <string>
#include <vector>

namespace memreflens::viewer {

/// RGB, rows from the top. False if it cannot be written.
bool writePng(const std::string &path, int width, int height,
              const std::vector<unsigned char> &pixels);

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_WINDOW_PNG_H
