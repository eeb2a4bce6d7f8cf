//===- viewer/work/ExportJob.cpp - what is shown, as a file ---------------===//

#include "viewer/work/ExportJob.h"
#include "viewer/state/StageView.h"

#include "viewer/work/Files.h"

#include "core/graph/Draw.h"
#include "core/graph/OwnershipPicture.h"
#include "core/report/Html.h"
#include "core/report/Markdown.h"
#include "core/trace/Json.h"

#include <algorithm>
#include <sstream>

namespace memreflens::viewer {

bool isExportPath(const std::string &path) {
  return std::ranges::any_of(exportEndings, [&](const char *ending) {
    return path.ends_with(ending) && path.size() > std::string(ending).size();
  });
}

std::string exportName(const Program &program, const ViewState &state,
                       const std::string &ending) {
  const trace::Function *function =
      program.lookup.function(state.place.function);
  std::string name = function ? function->name : "program";
  // A symbol may hold any character.
  std::ranges::replace_if(
      name, [](char c) { return !isalnum(static_cast<unsigned char>(c)); },
      '-');
  if (name.size() > 60)
    name.resize(60);
  if (state.showsStageGraph)
    name += "-stage-" + stageTitle(program, state.place.stage);
  return name + ending;
}

static graph::Image drawView(const ExportRequest &request) {
  const Lookup &lookup = request.program->lookup;
  const Place &place = request.place;
  graph::PictureOptions pictureOptions;
  graph::Picture picture =
      request.showsStageGraph
          ? pictureOfStage(*request.program, place.function, place.stage,
                           pictureOptions, request.run.get())
          : graph::ownershipPicture(lookup, place.function, pictureOptions);
  graph::DotOptions options;
  options.theme = request.theme;
  if (place.value != none) {
    options.highlight = place.value;
    options.highlightName = lookup.name(place.value);
  }
  graph::ImageFormat format =
      request.path.ends_with(".dot")   ? graph::ImageFormat::dot
      : request.path.ends_with(".svg") ? graph::ImageFormat::svg
                                       : graph::ImageFormat::png;
  return graph::draw(picture, options, format);
}

static graph::Image bytesOf(const ExportRequest &request) {
  const Program &program = *request.program;
  if (request.path.ends_with(".html")) {
    report::HtmlOptions html;
    html.run = request.run.get();
    return {report::htmlReport(program.lookup, html), "", ""};
  }
  if (request.path.ends_with(".md")) {
    report::MarkdownOptions markdown;
    markdown.run = request.run.get();
    return {report::markdownReport(program.lookup, markdown), "", ""};
  }
  if (request.path.ends_with(".json")) {
    std::ostringstream out;
    trace::writeJson(program.trace, out);
    return {std::move(out).str(), "", ""};
  }
  if (!program.lookup.function(request.place.function))
    return {"", "no function is selected", ""};
  return drawView(request);
}

ExportOutcome writeExport(const ExportRequest &request) {
  if (!isExportPath(request.path))
    return {false, "no such format: " + request.path +
                       " (svg, png, dot, html, md or json)"};
  graph::Image image = bytesOf(request);
  if (!image.error.empty())
    return {false, "not exported: " + image.error};
  if (!writeFile(request.path, image.bytes))
    return {false, "cannot write " + request.path};
  return {true, "wrote " + request.path +
                    (image.note.empty() ? "" : " (" + image.note + ")")};
}

bool ExportJob::start(ExportRequest request) {
  if (pending.valid())
    return false;
  pending = std::async(std::launch::async, [request = std::move(request)] {
    return writeExport(request);
  });
  return true;
}

void ExportJob::poll(std::string &notice) {
  if (pending.valid() &&
      pending.wait_for(std::chrono::seconds(0)) == std::future_status::ready)
    notice = pending.get().text;
}

} // namespace memreflens::viewer
