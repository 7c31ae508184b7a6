// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The requests of verbs with few parameters. Those with more have a file of their own.

#include <string>

#include "app/among.hpp"
#include "app/host_order.hpp"
#include "app/parameter.hpp"

namespace fatwood {

struct CompareQuestion {
  bool all = false;
  std::string among = {}, host_order = {};
};
template <class Visitor>
void describe(Visitor& visit, CompareQuestion& question) {
  visit(question.all,
        {.name = "all", .help = "run slow engines, too (nue), even if they can't win"});
  describe_among(visit, question.among);
  describe_host_order(visit, question.host_order);
}

struct WorstQuestion {
  bool permutation = false;
  std::string among = "all";
};
template <class Visitor>
void describe(Visitor& visit, WorstQuestion& question) {
  visit(question.permutation,
        {.name = "permutation", .help = "find the permutation that loads a channel most"});
  describe_among(visit, question.among);
}

struct VerifyQuestion {
  bool terminals_only = false, rechoose = false;
};
template <class Visitor>
void describe(Visitor& visit, VerifyQuestion& question) {
  visit(question.terminals_only,
        {.name = "terminals_only",
         .help = "for deadlock, count packets between terminals only, not those of switches"});
  visit(question.rechoose,
        {.name = "rechoose",
         .help = "adaptive tables: assume that a waiting packet takes whichever port of its group "
                 "frees first, and prove that"});
}

struct TraceQuestion {
  std::string from = {}, to = {};
  std::uint32_t offset = 0;
};
template <class Visitor>
void describe(Visitor& visit, TraceQuestion& question) {
  visit(question.from, {.name = "from",
                        .help = "a host or switch: name or GUID",
                        .required = true,
                        .pattern = kNodePattern});
  visit(question.to, {.name = "to",
                      .help = "a host or switch: name or GUID",
                      .required = true,
                      .pattern = kNodePattern});
  visit(question.offset,
        {.name = "offset", .help = "which of the host's 2^LMC addresses (default: 0)"});
}

}  // namespace fatwood
