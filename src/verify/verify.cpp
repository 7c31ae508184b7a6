#include "verify/verify.hpp"

#include "routing/target_tree.hpp"

namespace fatwood {

Verdict verify(const Fabric& fabric, const Routing& routing, const VerifyOptions& options) {
  check_size(fabric, routing);
  return {.reachability = find_reachability(fabric, routing, options.threads),
          .hops = count_hops(fabric, routing, options.threads),
          .deadlock = find_deadlock(fabric, routing, options.sources, options.threads)};
}

}  // namespace fatwood
