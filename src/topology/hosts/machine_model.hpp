// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A model as what speaks of jobs sees it: with its computers, rails and units.

#include "topology/hosts/rails.hpp"
#include "topology/model.hpp"

namespace fatwood {

class MachineModel {
 public:
  // The model must outlive it.
  explicit MachineModel(const Model& model) : model_(model) {}

  const Model& model() const { return model_; }
  const Fabric& fabric() const { return model_.fabric(); }
  const Hosts& hosts() const { return model_.hosts(); }
  const Labels& labels() const { return model_.labels(); }
  const MachineMap& machines() const { return model_.machines(); }

 private:
  const Model& model_;
};

}  // namespace fatwood
