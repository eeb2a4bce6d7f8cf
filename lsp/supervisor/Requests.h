//===- lsp/supervisor/Requests.h - what the client waits for --------------===//
//
// Says which child owes what to a request, takes what they answer, and answers
// the client with all of it once nothing is owed any more.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_LSP_SUPERVISOR_REQUESTS_H
#define MEMREFLENS_LSP_SUPERVISOR_REQUESTS_H

#include "lsp/supervisor/Client.h"
#include "lsp/supervisor/Configuration.h"
#include "lsp/supervisor/HoverMemory.h"
#include "lsp/wire/Message.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace memreflens::lsp {

/// What one child owes to a request.
struct Part {
  bool awaited = false;
  Json result;
  Json error;
};

/// A client's request that was not answered yet.
struct Request {
  /// Number by which the children know it, from 1.
  uint64_t serial = 0;
  /// The client's own.
  Json id;
  std::string method;
  Json params;
  /// Of the document that it is about; empty for none.
  std::string uri;
  double since = 0;
  Part upstream, analysis;
  /// The text of the document (HoverMemory.h).
  uint64_t text = 0;
  /// Ours says that more will be known soon: it does not wait for upstream's.
  bool isUnfinished = false;
};

class Requests {
public:
  /// Keeps references: all of them must outlive it. `status` makes the answer
  /// to `memrefLens/status`, without the analysis's part.
  Requests(const Configuration &configuration, Client &client,
           std::function<Json()> status)
      : configuration(configuration), client(client),
        status(std::move(status)) {}

  /// A request has come: notes which children owe it a part, and returns its
  /// serial. One that none of them knows is answered; then 0.
  uint64_t begin(const Json &id, const std::string &method, const Json &params);
  /// The request, which must be there.
  const Request &get(uint64_t serial) const { return pending.at(serial); }
  /// Null if it was answered.
  const Request *find(uint64_t serial) const;
  const Request *findId(const Json &id) const;
  size_t size() const { return pending.size(); }
  bool isWaitingFor(uint64_t serial, Part Request::*part) const;
  /// Serials of all to which one side owes its part, in their order.
  std::vector<uint64_t> awaited(Part Request::*part) const;

  /// A child's part; without effect where it owes none. Nulls: it has none.
  void endUpstreamPart(uint64_t serial, Json result, Json error);
  void endAnalysisPart(uint64_t serial, Json result, Json error);
  /// Answers without the missing part where the other is there and the request
  /// has waited longer than `patience` seconds, at `time`.
  void endLate(double time,
               const std::function<double(const Request &)> &patience);
  /// What hovers told of the texts in force.
  HoverMemory &getHovers() { return hovers; }
  /// Answers that it was cancelled.
  void cancel(uint64_t serial);
  /// Answers all: the server was shut down.
  void shutDown();

private:
  void finishIfDone(uint64_t serial);
  Json merge(const Request &request, Json &error);

  const Configuration &configuration;
  Client &client;
  std::function<Json()> status;
  /// By serial.
  std::map<uint64_t, Request> pending;
  uint64_t lastSerial = 0;
  HoverMemory hovers;
};

} // namespace memreflens::lsp

#endif // MEMREFLENS_LSP_SUPERVISOR_REQUESTS_H
