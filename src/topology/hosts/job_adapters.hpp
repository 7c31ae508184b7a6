// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The adapters of a host that carry the traffic of jobs, in order: those on leaves of a rail, by
// device name as NCCL numbers them (by rail if devices have no names). If the fabric has no rails,
// or the host is in no unit: all its adapters that count. So if a host lacks an adapter, its later
// adapters are paired with other rails, as NCCL would pair them.

#include <vector>

#include "topology/hosts/hosts.hpp"
#include "topology/model.hpp"

namespace fatwood {

std::vector<Adapter> job_adapters(const Model& model, Host m);

}  // namespace fatwood
