// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// --among all|compute|storage|service|FILE: whose traffic is measured. One option for all verbs.

#include <memory>
#include <string>

#include "cli/verb.hpp"
#include "routing/tables/path_source.hpp"
#include "topology/hosts/participants.hpp"

namespace fatwood::cli {

struct AmongChoice {
  std::string text = "all";
};
void add_among(Verb& verb, AmongChoice& among);

// InputError for a file that can't be read, names that are not there, and fewer than two adapters.
Participants find_participants(const Model& model, const AmongChoice& among);

// The model and paths to measure with. Where all take part these are the ones given. Both must
// outlive this.
class Measured {
 public:
  Measured(const Model& model, Participants who);
  Measured(const Model& model, const PathSource& paths, Participants who);

  const Participants& who() const { return who_; }
  const Model& model() const { return own_model_ ? *own_model_ : model_; }
  const PathSource& paths() const { return own_paths_ ? *own_paths_ : *paths_; }

 private:
  const Model& model_;
  const PathSource* paths_ = nullptr;
  Participants who_;
  std::unique_ptr<const Model> own_model_;
  std::unique_ptr<const PathSource> own_paths_;
};

}  // namespace fatwood::cli
