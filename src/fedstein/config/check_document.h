// SPDX-License-Identifier: Apache-2.0
// The first reading of a document: every key known, every value of the right kind. Whether values go together is found
// out case by case, in resolve.h.
#pragma once

#include "fedstein/config/definitions.h"
#include "fedstein/config/document.h"

namespace fedstein {

// changes: of --set, not applied yet; they and [quick] are checked like the rest.
void check_document(const Definitions& definitions,
                    const Document& document,
                    const std::vector<Override>& changes,
                    Mistakes& mistakes);

// What a quick run or --set changes must not be swept, or the change would be lost. After all of them are applied.
void check_not_swept(const Document& document, const std::vector<Override>& changes, Mistakes& mistakes);

}  // namespace fedstein
