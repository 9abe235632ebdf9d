#include <armilla/core/error.hpp>
#include <armilla/job/command/command_files.hpp>
#include <armilla/job/command/command_keys.hpp>
#include <armilla/job/command/job_text.hpp>

#include <algorithm>

#include <fmt/format.h>

namespace armilla::job {

namespace {

void write_members(YAML::Emitter& out, const YAML::Node& section) {
  out << YAML::BeginMap;
  for (const auto& member : section) {
    out << YAML::Key << member.first << YAML::Value;
    if (member.second.IsMap()) out << YAML::Flow;
    out << member.second;
  }
  out << YAML::EndMap;
}

}  // namespace

YAML::Node setting_value(const std::vector<std::string>& path, const std::string& text, const Key* known) {
  const bool is_flow = text.starts_with('[') || text.starts_with('{');
  if (is_flow) {
    try {
      return YAML::Load(text);
    } catch (const YAML::Exception& error) {
      throw core::InputError(fmt::format("{} {}: is not YAML: {}", option_name(path), text, error.what()));
    }
  }
  const bool is_list =
      path.back() == "fields" || (known != nullptr && known->type == KeyType::kTexts) ||
      (known != nullptr && known->form.starts_with('[') && known->form.find("](") == std::string::npos);
  if (is_list) {
    YAML::Node list(YAML::NodeType::Sequence);
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find(',', begin), text.size());
      list.push_back(text.substr(begin, end - begin));
      begin = end + 1;
    }
    return list;
  }
  if (known != nullptr && (known->type == KeyType::kFile || known->type == KeyType::kReference))
    return YAML::Node(path_text(without_tilde(text)));
  const std::size_t equals = text.find('=');
  if (known != nullptr && known->type == KeyType::kOther && equals != std::string::npos) {
    YAML::Node choice;
    choice[text.substr(0, equals)] = text.substr(equals + 1);
    return choice;
  }
  return YAML::Node(text);
}

void put_setting(YAML::Node section, const std::vector<Key>& keys, const StepCommand::Setting& setting) {
  const std::vector<Key>* known = &keys;
  const Key* key = nullptr;
  YAML::Node place = section;
  for (std::size_t i = 0; i < setting.first.size(); ++i) {
    const std::string& name = setting.first[i];
    const auto found = known == nullptr ? keys.end() : std::ranges::find(*known, name, &Key::name);
    key = known == nullptr || found == known->end() ? nullptr : &*found;
    if (i + 1 == setting.first.size()) {
      place[name] = setting_value(setting.first, setting.second, key);
      return;
    }
    YAML::Node next = place[name];
    place.reset(next);
    known = key == nullptr ? nullptr : &key->members;
  }
}

std::string job_text(const YAML::Node& job) {
  YAML::Emitter out;
  out << YAML::BeginMap << YAML::Key << "version" << YAML::Value << 1;
  for (const char* section : {"inputs", "steps", "outputs", "execution"}) {
    const YAML::Node node = job[section];
    if (!node) continue;
    out << YAML::Key << section << YAML::Value;
    if (node.IsSequence()) {
      out << YAML::BeginSeq;
      for (const auto& item : node) write_members(out, item);
      out << YAML::EndSeq;
    } else {
      write_members(out, node);
    }
  }
  out << YAML::EndMap;
  return std::string(out.c_str()) + "\n";
}

}  // namespace armilla::job
