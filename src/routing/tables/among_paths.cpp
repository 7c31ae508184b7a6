// SPDX-License-Identifier: BSD-3-Clause
#include "routing/tables/among_paths.hpp"

namespace fatwood {
namespace {

class AmongPaths final : public PathSource {
 public:
  AmongPaths(const Model& measured, const Model& all, const PathSource& paths)
      : paths_(paths), in_all_(measured.adapters().size()) {
    for (const Adapter a : ids<Adapter>(in_all_.size())) {
      in_all_[a] = all.adapters().of(measured.adapters().terminals(a).front());
    }
  }

  std::size_t num_adapters() const override { return in_all_.size(); }
  PathList paths(Adapter s, Adapter d) const override {
    return paths_.paths(in_all_[s], in_all_[d]);
  }
  std::uint32_t units_in_one() const override { return paths_.units_in_one(); }
  // Kernels take the adapters from the model that comes with the tables. Those of algebraic
  // routings compute with the numbers of all adapters.
  const ForwardingTables* tables() const override { return paths_.tables(); }
  std::uint32_t addresses() const override { return paths_.addresses(); }
  const Routing* adaptive() const override { return paths_.adaptive(); }

 private:
  const PathSource& paths_;
  Table<Adapter, Adapter> in_all_;
};

}  // namespace

std::unique_ptr<PathSource> paths_among(const Model& measured, const Model& all,
                                        const PathSource& paths) {
  return std::make_unique<AmongPaths>(measured, all, paths);
}

}  // namespace fatwood
