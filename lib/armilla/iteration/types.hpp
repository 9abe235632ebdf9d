#pragma once

#include <armilla/transform/field.hpp>
#include <armilla/transform/field_transform.hpp>
#include <armilla/transform/part_plan.hpp>

namespace armilla::iteration {

using core::Index;
using transform::AlmField;
using transform::DeltaTransform;
using transform::FieldPart;
using transform::FieldTransform;
using transform::FieldTransformSpec;
using transform::MapField;
using transform::own_weights;
using transform::PartTables;

}  // namespace armilla::iteration
