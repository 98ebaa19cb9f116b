// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fedstein/posterior/judgement.h"

namespace fedstein {

// Tables for people.
std::string judgement_text(const Judgement& judgement, const Posterior& posterior, Doubt by, bool rich);
std::string judgement_json(const Judgement& judgement, const Posterior& posterior, Doubt by);

// "dsvgd, 74 rounds, 37 agents, 84123 rows of ecg; logistic-regression, 6 particles, temperature 1"
std::string posterior_line(const Posterior& posterior);

}  // namespace fedstein
