#pragma once

#include <armilla/job/value/source.hpp>

#include <memory>
#include <string>
#include <vector>

namespace armilla::job {

/// Properties of a value of the caller that its memory does not show.
struct MemoryFacts {
  std::string name;                     ///< in the job, for messages
  std::vector<std::string> units = {};  ///< per component, or empty
  std::string coordsys = {};            ///< G, E, C, or empty
};

/// A map, an alm or values at points of the caller, each rank with its part, as an input. The job reads it, and never
/// writes it. A field of several maps is an input of a campaign. The job borrows it if it has the precision of the job,
/// one map, and nothing that the input asks to change. Throws InputError like check_facts().
/// Field: transform::MapField<T>, transform::AlmField<T>, points::PointField<T>.
template <class Field>
std::shared_ptr<const Source> memory_source(MemoryFacts facts, std::shared_ptr<const Field> field, Index points = 0);

/// Spectra or other tables, the same on all ranks; several are those of the maps of a campaign. Throws InputError if
/// columns have other lengths than lmax + 1, if tables differ in names, lmax or unit, and if there are none.
std::shared_ptr<const Source> memory_source(MemoryFacts facts, ValueSort sort, std::vector<alm::SpectraTable> tables);

}  // namespace armilla::job
