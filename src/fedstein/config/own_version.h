// SPDX-License-Identifier: Apache-2.0
// An experiment of the paper as fedstein itself would run it: what `fedstein reproduce NAME --own` asks for. The
// question stays (data, division, rounds, trials, rivals, what is swept); the settings are fedstein's own.
#pragma once

#include "fedstein/config/document.h"

namespace fedstein {

// Changes the document:
//   - the preset becomes "fedstein", but rounds and trials stay those that the document means;
//   - c-dsvgd with its own defaults takes the place of the first of dsvgd, u-dsvgd and p-dsvgd; the others go, and with
//     them what cases, sweeps and [quick] say of them. A c-dsvgd that is listed stays as it is;
//   - rivals stay as they are listed;
//   - [hyperparameters] goes: its numbers are the paper's. What cases and sweeps say of them is the experiment's point
//     and stays. So does the number of particles of a toy: they are what its density is drawn with;
//   - the scales of the paper's prior (model.prior_...) go; which prior a toy has stays, it is part of the toy;
//   - the name ends in "-own".
// A document without any of the four methods is a mistake.
void make_own_version(Document& document, Mistakes& mistakes);

}  // namespace fedstein
