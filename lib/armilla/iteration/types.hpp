#pragma once

#include <armilla/transform/field.hpp>
#include <armilla/transform/field_transform.hpp>
#include <armilla/transform/spin_tables.hpp>

namespace armilla::iteration {

using core::Index;
using transform::AlmField;
using transform::DeltaTransform;
using transform::FieldTransform;
using transform::FieldTransformSpec;
using transform::MapField;
using transform::own_weights;
using transform::SpinField;
using transform::SpinTables;

}  // namespace armilla::iteration
