// SPDX-License-Identifier: Apache-2.0
// Agents of a networked federation are asked for no foreign rows.
#include "fedstein/config/parse.h"
#include "fedstein/serving/federation_plan.h"
#include "support/throws.h"

namespace fedstein {
namespace {

std::string served(const std::string& experiment, const std::string& evaluation) {
  return "[experiment]\nname = \"t\"\ndataset = \"feature-skew\"\nagents = 2\n" + experiment + "[evaluation]\n" +
         evaluation + "[[algorithm]]\ntype = \"dsvgd\"\n";
}

TEST(ServedUnseen, IsRefusedInASentence) {
  EXPECT_NO_THROW(parse_federation(served("", ""), "t.toml", {}));
  EXPECT_THROW_MESSAGE(parse_federation(served("", "unseen = [\"far\"]\n"), "t.toml", {}),
                       BadConfiguration,
                       "evaluation.unseen is given; agents are asked for no foreign rows");
  EXPECT_THROW_MESSAGE(parse_federation(served("unseen_group = 1\n", ""), "t.toml", {}),
                       BadConfiguration,
                       "experiment.unseen_group is given");
}

}  // namespace
}  // namespace fedstein
