#pragma once

#include <armilla/core/node_file.hpp>
#include <armilla/core/types.hpp>

#include <memory>
#include <optional>
#include <string>

namespace armilla::io {

using core::Index;

/// The contents of a compressed FITS file, inflated once per node: of a file compressed with gzip, or with tables that
/// fpack has compressed. Null for other files. FitsFile::open() uses them while they are held. Their size is at most
/// half of `memory_limit`, or else of ARMILLA_MEMORY_LIMIT or of the memory that is available. Throws InputError for
/// damaged files, and ResourceError, also for larger ones. Not collective.
std::shared_ptr<const core::NodeFile> fits_contents(const std::string& path, std::optional<Index> memory_limit = {});

/// The same for a file of any format: null if it is not FITS. Throws InputError if it cannot be read.
std::shared_ptr<const core::NodeFile> inflated_contents(const std::string& path,
                                                        std::optional<Index> memory_limit = {});

}  // namespace armilla::io
