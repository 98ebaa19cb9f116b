// SPDX-License-Identifier: Apache-2.0
// A configuration file taken apart: its tables, and the overrides that cases, sweeps and quick runs make.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fedstein/config/mistakes.h"
#include "fedstein/config/value.h"

namespace fedstein {

// "federation.rounds" = 10. Nested tables and dotted keys of the file both end up as paths.
struct Override {
  std::string path;
  Value value;
};

struct Section {
  Index line = 0;  // of its heading
  ValueTable entries = {};
};

struct CaseSection {
  std::string name;
  Index line = 0;
  std::vector<Override> overrides = {};
};

struct Document {
  std::map<std::string, Section> tables;  // experiment, data, model, federation, evaluation, hyperparameters
  std::vector<Section> algorithms;
  std::vector<Override> sweep;
  std::vector<CaseSection> cases;
  std::vector<Override> quick;
  Index quick_line = 0;  // 0: there is no [quick]
  std::vector<Section> figures;
};

// Takes the tables apart; what is not a table of ours, or not written as one, is a mistake and left out.
Document read_document(const ValueTable& root, Mistakes& mistakes);

// The document again, in canonical form: tables and keys in a fixed order, overrides as dotted keys. Without [quick].
std::string write_document(const Document& document);

// What a path speaks of.
struct Target {
  enum class Kind { kTable, kAlgorithm, kSweep, kCase } kind = Kind::kTable;
  std::string table = {};  // kTable
  std::size_t number = 0;  // kAlgorithm, kCase: which
  std::string key = {};    // kTable, kAlgorithm; kSweep and kCase: the rest of the path
};
// Nothing when there is no such table, method or case.
std::optional<Target> find_target(const Document& document, const std::string& path);

// The label of an [[algorithm]]: its label, else its type; empty when neither is a text.
std::string label_of(const Section& algorithm);

// Puts the value into its place; what single cases say of the path stays.
void apply(Document& document, const Override& change);
// The changes of a quick run or of --set, which win over the cases too; those of single cases ("case.NAME.PATH") come
// after the others, whatever their order.
void apply_all(Document& document, const std::vector<Override>& changes);

// The sweep of a case: the experiment's, with the lists that the case replaces. An empty list: not swept after all.
std::vector<Override> sweep_of(const Document& document, const CaseSection& section);
bool is_swept(const std::vector<Override>& sweep, const std::string& path);

const Override* find(const std::vector<Override>& overrides, const std::string& path);
void set(std::vector<Override>& overrides, const Override& change);

}  // namespace fedstein
