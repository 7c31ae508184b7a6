// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Proofs about routes: every pair has a route, nothing loops, nothing can deadlock.
//
//   const fatwood::Verdict verdict = fatwood::verify(model, routing);
//   verdict.holds()                    all of it
//   verdict.reachability               lost pairs by kind, with the first of them
//   verdict.deadlock                   an order of the channels as proof, or a shortest cycle

#include "verify/certificate/certificate.hpp"
#include "verify/verify.hpp"
