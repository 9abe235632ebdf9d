#include <armilla/core/error.hpp>

#include <exception>
#include <string>

#include "binding.hpp"
#include <nanobind/stl/string.h>

namespace armilla::python {

namespace {

const char* class_of(core::ErrorKind kind) {
  switch (kind) {
    case core::ErrorKind::kInput:
      return "InputError";
    case core::ErrorKind::kResource:
      return "ResourceError";
    case core::ErrorKind::kStopped:
      return "Stopped";
    case core::ErrorKind::kInternal:
      break;
  }
  return "InternalError";
}

}  // namespace

void set_error(const core::CaughtError& error) {
  const nb::object type = nb::module_::import_("armilla.errors").attr(class_of(error.kind));
  const nb::object made = type(error.message);
  if (error.context) {
    const auto set = [&](const char* name, const std::string& text) {
      if (!text.empty()) nb::setattr(made, name, nb::str(text.c_str(), text.size()));
    };
    set("where", error.context->where);
    set("section", error.context->section);
    set("key", error.context->key);
    set("value", error.context->value.value_or(""));
    core::ErrorContext text_alone;
    text_alone.text = error.context->text;
    set("text", core::sentence(text_alone));
  }
  PyErr_SetObject(type.ptr(), made.ptr());
}

void bind_errors(nb::module_& /*module*/) {
  nb::register_exception_translator([](const std::exception_ptr& raised, void*) {
    try {
      std::rethrow_exception(raised);
    } catch (const core::Error& error) {
      set_error({error.kind(), error.what(), error.context()});
    } catch (const std::bad_alloc&) {
      set_error(core::describe_current_exception());
    }
  });
}

}  // namespace armilla::python
