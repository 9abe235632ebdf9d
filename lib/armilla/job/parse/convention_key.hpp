#pragma once

#include <armilla/job/parse/key_makers.hpp>

#include <string>
#include <utility>

/// The key `convention` of coefficients in files: `{norm: 4pi, phase: none, basis: real}`, with all keys optional.
namespace armilla::job {

/// The keys of its section.
Keys<ConventionSpec> keys_of_convention();

template <class Section>
KeyOf<Section> convention_key(ConventionSpec Section::*member, std::string help) {
  KeyOf<Section> row =
      KeyMakers<Section>::other("convention", "[convention](#convention)", std::move(help),
                                [member](Section& section, const YamlValue& value, const ParseContext& context) {
                                  read_section(section.*member, keys_of_convention(), value, context);
                                  (section.*member).place = value.place();
                                });
  return row;
}

}  // namespace armilla::job
