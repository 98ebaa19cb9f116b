// SPDX-License-Identifier: Apache-2.0
#include "fedstein/relay/flower_app.h"

#include <cctype>
#include <filesystem>
#include <map>
#include <utility>

#include "fedstein/base/check.h"
#include "fedstein/base/visible.h"
#include "fedstein/exchange/printable.h"
#include "fedstein/files/missing_input.h"
#include "fedstein/files/read_file.h"
#include "fedstein/files/whole_file.h"
#include "fedstein/relay/flower_texts.h"
#include "fedstein/serving/federation_plan.h"

namespace fedstein {
namespace {

namespace fs = std::filesystem;

bool is_letter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 && static_cast<unsigned char>(c) < 0x80;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// As TOML has texts between quotes.
std::string toml_string(const std::string& path) {
  std::string out;
  for (std::size_t at = 0; at < path.size();) {
    std::uint32_t character = 0;
    const std::size_t bytes = take_character(path, at, character);
    check_argument(bytes > 0 && !is_hidden(character), "flower", [&] {
      return "the path '" + printable(path) + "'" + " holds a character that no configuration can hold";
    });
    if (character == '"' || character == '\\') out += '\\';
    out.append(path, at, bytes);
    at += bytes;
  }
  return out;
}

fs::path resolved(const std::string& path) {
  fs::path out = fs::weakly_canonical(fs::absolute(path));
  return out.has_filename() ? out : out.parent_path();
}

// What Flower and Python can both call it: small letters and digits with a hyphen between them.
std::string name_of(const fs::path& folder) {
  std::string out;
  for (const char c : folder.filename().string()) {
    if (is_letter(c) || is_digit(c)) {
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!out.empty() && out.back() != '-') {
      out += '-';
    }
  }
  while (!out.empty() && out.back() == '-') out.pop_back();
  return out.empty() ? "federation" : out;
}

void check_publisher(const std::string& publisher) {
  bool fits = !publisher.empty();
  for (std::size_t i = 0; i < publisher.size(); ++i) {
    const char c = publisher[i];
    const bool is_plain = (c >= 'a' && c <= 'z') || is_digit(c);
    fits = fits && (is_plain || (c == '-' && i > 0 && i + 1 < publisher.size() && publisher[i - 1] != '-'));
  }
  check_argument(fits, "flower", [&] {
    return "publisher is '" + publisher + "'; allowed: small letters and digits, with - between them";
  });
}

bool is_identifier(const std::string& name) {
  if (name.empty() || is_digit(name[0])) return false;
  for (const char c : name) {
    if (!is_letter(c) && !is_digit(c) && c != '_') return false;
  }
  return true;
}

void check_folder(const std::string& folder) {
  const bool is_free = !fs::exists(folder) || (fs::is_directory(folder) && fs::is_empty(folder));
  if (!is_free) throw AlreadyThere(folder + ": is there already; name a folder that is new or empty");
}

// The user's own files, by their names in the app, and what app.py says of them.
struct OwnParts {
  std::map<std::string, std::string> path_of = {};
  std::string imports = {};
  std::string arguments = {};
};

void add(OwnParts& parts, const char* what, const std::optional<FlowerSource>& source) {
  if (!source) return;
  require_file(source->file);
  const fs::path path(source->file);
  const std::string module = path.stem().string();
  check_argument(path.extension() == ".py" && is_identifier(module) && module != "app", "flower", [&] {
    return std::string(what) + " is in '" + source->file +
           "'; allowed: a file NAME.py with letters, digits and _ in its name, other than app.py";
  });
  check_argument(is_identifier(source->name), "flower", [&] {
    return std::string(what) + " is called '" + source->name + "' in " + source->file +
           "; allowed: letters, digits and _";
  });
  const auto [there, is_new] = parts.path_of.emplace(module + ".py", source->file);
  check_argument(is_new || fs::equivalent(there->second, source->file), "flower", [&] {
    return there->second + " and " + source->file + " have one name; in the app each file needs its own";
  });
  parts.imports += "from ." + module + " import " + source->name + " as own_" + what + "\n";
  parts.arguments += std::string(", ") + what + "=own_" + what;
}

// All of them, or none.
void write_all(const fs::path& folder, const std::vector<std::pair<std::string, std::string>>& texts) {
  std::vector<fs::path> written;
  try {
    for (const auto& [path, text] : texts) {
      write_whole_file((folder / path).string(), text);
      written.push_back(folder / path);
    }
  } catch (...) {
    std::error_code ignored;
    for (const fs::path& path : written) {
      fs::remove(path, ignored);
      if (path.parent_path() != folder && fs::is_empty(path.parent_path(), ignored)) {
        fs::remove(path.parent_path(), ignored);
      }
    }
    throw;
  }
}

}  // namespace

std::vector<std::string> write_flower_app(const FlowerAppOptions& options, const Registry& registry) {
  require_file(options.experiment);
  const std::string document = read_file(options.experiment);
  row_shape(parse_federation(document, options.experiment, {}, registry));
  OwnParts own;
  add(own, "model", options.model);
  add(own, "method", options.method);
  check_folder(options.folder);
  check_publisher(options.publisher);

  const fs::path where = resolved(options.folder);
  const std::string name = name_of(where);
  std::string module = "app_" + name;
  for (char& c : module) c = c == '-' ? '_' : c;
  const fs::path state = options.state.empty() ? where / "state" : resolved(options.state);
  const std::string project = filled_in(kFlowerProject,
                                        {{"name", name},
                                         {"module", module},
                                         {"publisher", options.publisher},
                                         {"state", toml_string(state.string())},
                                         {"agents", toml_string((where / "agents").string())}});
  std::vector<std::pair<std::string, std::string>> texts = {
      {module + "/__init__.py", ""},
      {module + "/app.py",
       filled_in(kFlowerModule, {{"imports", own.imports.empty() ? "" : "\n" + own.imports}, {"own", own.arguments}})},
      {module + "/experiment.toml", document}};
  for (const auto& [file, path] : own.path_of) texts.emplace_back(module + "/" + file, read_file(path));
  texts.emplace_back("pyproject.toml", project);  // last: with it the folder is an app
  write_all(options.folder, texts);
  return {"wrote " + options.folder, "flwr run " + options.folder};
}

}  // namespace fedstein
