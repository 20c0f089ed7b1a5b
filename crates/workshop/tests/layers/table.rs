//! The layers: of crates, and of the modules of each.

/// A crate and the layers of its modules.
pub(crate) struct Crate {
    /// The folder below `crates`.
    pub(crate) name: &'static str,
    /// Its modules from the bottom to the top. Modules of one layer do not use each other.
    pub(crate) layers: &'static [&'static str],
    /// Uses that still point upwards. The list shrinks; nothing is added to it.
    pub(crate) upward: &'static [(&'static str, &'static str)],
}

/// Every crate, from the bottom to the top.
pub(crate) const CRATES: &[Crate] = &[
    Crate { name: "protocol", layers: &[], upward: &[] },
    Crate { name: "testserver", layers: &[], upward: &[] },
    Crate { name: "expr", layers: &[], upward: &[] },
    Crate { name: "dictionary", layers: &[], upward: &[] },
    Crate { name: "manifest", layers: &[], upward: &[] },
    Crate { name: "browser", layers: &[], upward: &[] },
    Crate { name: "primitives", layers: &[], upward: &[] },
    Crate { name: "engine", layers: &[], upward: &[] },
    Crate { name: "workshop", layers: &[], upward: &[] },
    Crate { name: "cli", layers: &[], upward: &[] },
    Crate { name: "xtask", layers: &[], upward: &[] },
];
