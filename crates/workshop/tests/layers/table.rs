//! The layers: of crates, and of the modules of each.

/// A crate and the layers of its modules.
pub(crate) struct Crate {
    /// The folder below `crates`.
    pub(crate) name: &'static str,
    /// Its modules from the bottom to the top. Modules of one layer do not use each other.
    pub(crate) layers: &'static [&'static str],
}

/// In a layer: every module that no layer names.
pub(crate) const OTHERS: &str = "*";

/// Every crate, from the bottom to the top.
pub(crate) const CRATES: &[Crate] = &[
    Crate {
        name: "protocol",
        layers: &[
            "exit failure_class name_error severity text whole_number",
            "byte_limit error_code id millis safe_name step_id timestamp",
            "limits wab_code wire_code",
            "error_object",
            "item",
            "responses",
        ],
    },
    Crate { name: "trace", layers: &["folder secrets version", "about event", "reader recorder"] },
    Crate { name: "testserver", layers: &["content_type request", "response", "server", "local_site"] },
    Crate {
        name: "expr",
        layers: &[
            "budget builtin pattern place slot value",
            "compile_error evaluate_error",
            "syntax",
            "facts",
            "engine",
            "forbidden",
            "expression",
            "template",
        ],
    },
    Crate {
        name: "dictionary",
        layers: &[
            "announcements answered_dialogs capability_class closest declared_error embedded example field holes opened_pages output_path schema_error support",
            "bundle common_errors defaults sentence",
            "branches",
            "explain",
            "schema",
            "primitive",
            "dictionary",
        ],
    },
    Crate {
        name: "manifest",
        layers: &[
            "document load rule schema url_match",
            "reading slot",
            "finding",
            "lower read",
            "css model xpath",
            "compose json_schema",
            "applies checked view",
            "leave_out rules",
            "validate",
        ],
    },
    Crate {
        name: "browser",
        layers: &[
            "clock cut dialog frame_id json origin proxy script steady storage_state viewport",
            "confinement deadline dialog_policy navigation",
            "access har",
            "refused",
            "error",
            "port",
            "cdp fake no_page",
            "chromium",
        ],
    },
    Crate {
        name: "primitives",
        layers: &[
            "acted_on dialog locate matrix modifiers",
            "failure matched",
            "services",
            "stage",
            "scene",
            "patience",
            "frame_path page_call template",
            "begun",
            "gesture loading observe outward recognise",
            // The families that others use, and then the families that use no other.
            "keyboard storage",
            "text",
            "*",
            "browser",
            "webmcp",
            "table",
            "perform",
            // A marker is resolved by the primitive that its projection names.
            "marker",
            "cursor pointer",
        ],
    },
    Crate {
        name: "engine",
        layers: &[
            "failure limits observer",
            "schema secret",
            "plan",
            "policy probe state",
            "plans site",
            "run",
            "engine",
            "here",
            "session",
        ],
    },
    Crate {
        name: "interop",
        layers: &[
            "classify html identity limits",
            "robots",
            "fetch",
            "credentials record",
            "document http",
            "awas awp wab",
            "import",
            "*",
            "discover systems",
        ],
    },
    Crate {
        name: "runtime",
        layers: &[
            "admission heard_signal launcher lease listing options route storage",
            "event",
            "browsers maps signal tool_call",
            "map_files open session",
            "runtime",
        ],
    },
    Crate {
        name: "drift",
        layers: &[
            "recording status target",
            "mark",
            "likeness lock",
            "repair wall",
            "result",
            "assertion news",
            "visit",
            "checker",
            "case",
        ],
    },
    Crate { name: "doors", layers: &["token", "reports", "gate", "listening"] },
    Crate {
        name: "bridge",
        layers: &[
            "limits pictures routing",
            "memory",
            "client",
            "clients order",
            "progress",
            "perform",
            "served",
            "shared",
            "request",
            "connection",
            "bridge",
            "connect people stdio",
            "listen",
        ],
    },
    Crate {
        name: "mcp",
        layers: &[
            "address large names options outline recording schema",
            "answer definition elicit",
            "catalogue confirmations versions",
            "shared",
            "client progress prompts",
            "call page",
            "site",
            "resources",
            "watch",
            "handler server",
            "listen stdio",
        ],
    },
    Crate {
        name: "wab",
        layers: &[
            "audit caller event names origins permission rate replay sanitise",
            "keys message trigger",
            "catalogue sessions",
            "document",
            "bridge",
            "methods",
            "dispatch",
            "http page_global socket",
            "listen",
        ],
    },
    Crate {
        name: "workshop",
        layers: &["failure fuzz", "campaign expensive expressions large_map parsers record regen"],
    },
    Crate {
        name: "cli",
        layers: &[
            "address agent_options credentials hint interrupt item json_argument output_file replay_option site_url text time_limit token_file trace_folder watch_options",
            "output",
            "consent_options site_policy visitor_options",
            "baseline browser_options bug changes diagnostics identity_options findings junit listing network progress_bar tool_input usage verified_by",
            "calling failure live",
            "enforced_policy gate_options held host live_session maps profile_folder recording session_options",
            "hosting published",
            "background",
            "commands",
        ],
    },
    Crate {
        name: "xtask",
        layers: &[
            "failure",
            "workspace",
            "command_line",
            "rounds",
            "hold program recorded_maps setup soak",
            "apps bench demo docs fuzz workshop",
            "scale test",
        ],
    },
];
