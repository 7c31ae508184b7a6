// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A model together with its computers, rails and units, for what speaks of jobs.

#include "topology/model.hpp"
#include "topology/rails.hpp"

namespace fatwood {

class MachineModel {
 public:
  // The model must outlive it.
  explicit MachineModel(const Model& model)
      : model_(model), machines_(map_machines(model.fabric())) {}

  const Model& model() const { return model_; }
  const Fabric& fabric() const { return model_.fabric(); }
  const Hosts& hosts() const { return model_.hosts(); }
  const Labels& labels() const { return model_.labels(); }
  const MachineMap& machines() const { return machines_; }

 private:
  const Model& model_;
  MachineMap machines_;
};

}  // namespace fatwood
