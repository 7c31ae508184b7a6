// SPDX-License-Identifier: BSD-3-Clause
#include "studies/topologies_of_chiu02.hpp"

namespace fatwood {

std::span<const NamedSpec> topologies_of_chiu02() {
  static constexpr NamedSpec kTable1[] = {
      {"rndm-16-24-1-8-4005", "random(16,24,min=1,max=8,seed=4005)"},
      {"rndm-16-25-1-8-4004", "random(16,25,min=1,max=8,seed=4004)"},
      {"rndm-16-26-1-8-4003", "random(16,26,min=1,max=8,seed=4003)"},
      {"rndm-16-27-1-8-4002", "random(16,27,min=1,max=8,seed=4002)"},
      {"rndm-16-28-1-8-4001", "random(16,28,min=1,max=8,seed=4001)"},
      {"rndm-16-32-1-8-3001", "random(16,32,min=1,max=8,seed=3001)"},
      {"rndm-16-32-1-8-3002", "random(16,32,min=1,max=8,seed=3002)"},
      {"rndm-16-32-1-8-3003", "random(16,32,min=1,max=8,seed=3003)"},
      {"rndm-16-32-1-8-3004", "random(16,32,min=1,max=8,seed=3004)"},
      {"rndm-16-32-2-6-3009", "random(16,32,min=2,max=6,seed=3009)"},
      {"rndm-16-32-2-6-3010", "random(16,32,min=2,max=6,seed=3010)"},
      {"rndm-16-32-2-6-3011", "random(16,32,min=2,max=6,seed=3011)"},
      {"rndm-16-32-2-6-3012", "random(16,32,min=2,max=6,seed=3012)"},
      {"rndm-16-48-1-8-3013", "random(16,48,min=1,max=8,seed=3013)"},
      {"rndm-16-48-1-8-3014", "random(16,48,min=1,max=8,seed=3014)"},
      {"rndm-16-48-1-8-3015", "random(16,48,min=1,max=8,seed=3015)"},
      {"rndm-16-48-1-8-3016", "random(16,48,min=1,max=8,seed=3016)"},
      {"rndm-16-48-d-5-5003", "random(16,48,max=5,dup=8,seed=5003)"},
      {"rndm-16-48-d-9-5001", "random(16,48,max=9,dup=8,seed=5001)"},
      {"rndm-16-48-d-9-5002", "random(16,48,max=9,dup=8,seed=5002)"},
      {"rndm-16-48-d-9-5004", "random(16,48,max=9,dup=8,seed=5004)"},
      {"rndm-32-96-1-8-1005", "random(32,96,min=1,max=8,seed=1005)"},
      {"rndm-32-96-1-8-1006", "random(32,96,min=1,max=8,seed=1006)"},
      {"rndm-32-96-2-8-1007", "random(32,96,min=2,max=8,seed=1007)"},
      {"rndm-32-96-2-8-1008", "random(32,96,min=2,max=8,seed=1008)"},
      {"rndm-64-128-1-8-2001", "random(64,128,min=1,max=8,seed=2001)"},
      {"rndm-64-128-1-8-2002", "random(64,128,min=1,max=8,seed=2002)"},
      {"rndm-64-128-1-8-2003", "random(64,128,min=1,max=8,seed=2003)"},
      {"rndm-64-128-1-8-2004", "random(64,128,min=1,max=8,seed=2004)"},
      {"rndm-64-160-1-8-2009", "random(64,160,min=1,max=8,seed=2009)"},
      {"rndm-64-160-1-8-2010", "random(64,160,min=1,max=8,seed=2010)"},
      {"rndm-64-192-1-8-2013", "random(64,192,min=1,max=8,seed=2013)"},
      {"rndm-64-192-1-8-2014", "random(64,192,min=1,max=8,seed=2014)"},
      {"rndm-64-192-1-8-2015", "random(64,192,min=1,max=8,seed=2015)"},
      {"rndm-64-192-1-8-2016", "random(64,192,min=1,max=8,seed=2016)"},
      {"rndm-nice", "random(16,29,seed=1)"},
      {"hypercube-32-80-5", "hypercube(5)"},
      {"hypercube-64-102-6", "hypercube(6)"},
      {"ring-32-32", "ring(32)"},
      {"ring-64-64", "ring(64)"},
      {"torus2-16-32-4-4", "torus(4,4)"},
      {"torus2-64-128-8-8", "torus(8,8)"},
      {"torus3-16-32-2-2-4", "torus(2,2,4,wrap=1)"},
      {"torus3-32-72-2-4-4", "torus(2,4,4,wrap=1)"},
      {"torus3-48-116-3-4-4", "torus(3,4,4,wrap=1)"},
      {"torus3-64-160-4-4-4", "torus(4,4,4,wrap=1)"},
  };
  return kTable1;
}

}  // namespace fatwood
