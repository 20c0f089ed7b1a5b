//! What the engine adds to the output of a primitive when the tool says how dialogs are answered.

/// The output field that lists the dialogs which were answered while the primitive ran, each with its `kind`, its
/// `message`, and `accepted`. Any primitive may make a page open a dialog, so no schema declares it. Without a dialog it is
/// absent.
pub const ANSWERED_DIALOGS: &str = "answered_dialogs";
