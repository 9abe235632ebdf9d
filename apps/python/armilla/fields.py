"""Names and spins of the components of maps and coefficients."""
from ._armilla import FieldKind
from .errors import InputError


def fields_of(fields, spins=None):
    """The FieldKind of the argument `fields` of a call: a list of names such as ["T", "Q", "U"], the names separated by
    commas, the spin of one field, or a FieldKind. `spins`, one for each name, is needed for pairs with other names than
    Q, U (E, B), U, V, V_THETA, V_PHI and RE3, IM3."""
    if isinstance(fields, FieldKind):
        return fields
    if isinstance(fields, int) and not isinstance(fields, bool):
        if not 0 <= fields < 2**31:
            raise InputError(f"fields = {fields}: use a spin of 0 or more, or names such as ['T', 'Q', 'U']")
        return FieldKind.spin(fields)
    names = [name.strip() for name in fields.split(",")] if isinstance(fields, str) else fields
    try:
        names = [str.__str__(name) for name in names]
    except TypeError:
        raise InputError(f"fields = {fields!r}: use names such as ['T', 'Q', 'U'], or a spin") from None
    return FieldKind.from_names(names, [] if spins is None else list(spins))
