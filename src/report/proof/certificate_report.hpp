// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What `fatwood check-certificate` prints: one line for people, or one JSON object:
// {"holds", "routes", "lanes", "sources": "terminals" | "all", "rechoosing", "why_not"}

#include <string>

#include "verify/certificate/certificate_check.hpp"

namespace fatwood {

std::string certificate_text(const CertificateCheck& check, const std::string& name);
std::string certificate_json(const CertificateCheck& check);

}  // namespace fatwood
