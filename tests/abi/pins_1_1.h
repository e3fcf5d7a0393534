/* Pins of what was added since 1.0, in the form of pins_1_0.h. Lines are added until a release closes the file. */

/* sluice/kind/class_names.h */
SLUICE_PIN_TEXT(SLUICE_CLASS_NAMES_V1, "sluice.class_names/1")
SLUICE_PIN_SIZE(sluice_class_names, 8)
SLUICE_PIN_FIELD(sluice_class_names, name, 0, sluice_text (*)(void*, uint32_t, uint64_t) SLUICE_NOEXCEPT)
