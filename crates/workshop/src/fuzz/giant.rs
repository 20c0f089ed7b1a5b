//! Maps that are large in one way: whatever grows faster than its text shows here.

use serde_json::{Value, json};

/// One way to be large.
pub struct Giant {
    /// What there is a great deal of.
    pub name: &'static str,
    make: fn(usize) -> Value,
}

impl Giant {
    /// The map with about this many of it.
    pub fn map(&self, size: usize) -> Value {
        (self.make)(size)
    }
}

/// Every way to be large.
pub const GIANTS: &[Giant] = &[
    Giant {
        name: "unknown keys",
        make: |size| with((0..size).map(|n| (format!("key{n}"), json!(n))).collect()),
    },
    Giant { name: "a long unknown key", make: |size| with(json!({ "k".repeat(size): 1 })) },
    Giant { name: "tools", make: |size| with(json!({ "tools": (0..size).map(tool).collect::<Vec<_>>() })) },
    Giant {
        name: "tools of one name",
        make: |size| with(json!({ "tools": (0..size).map(|_| tool(1)).collect::<Vec<_>>() })),
    },
    Giant { name: "elements of a wrong type", make: |size| with(json!({ "tools": vec![7; size] })) },
    Giant {
        name: "unknown states among as many",
        make: |size| {
            with(json!({
                "states": (0..size).map(|n| json!({ "name": format!("state{n}"), "description": "x" })).collect::<Vec<_>>(),
                "context": [{ "id": "c", "body": "x", "next_states": (0..size).map(|n| format!("stat{n}x")).collect::<Vec<_>>() }],
            }))
        },
    },
    Giant {
        name: "steps",
        make: |size| {
            one_workflow(
                (0..size).map(|n| json!({ "id": format!("s{n}"), "primitive": "page.info" })).collect(),
            )
        },
    },
    Giant {
        name: "references to unknown steps",
        make: |size| {
            one_workflow(vec![json!({
                "id": "a", "primitive": "page.info", "args": { "x": (0..size).map(|n| format!("{{% steps.s{n}.output %}}")).collect::<Vec<_>>() },
            })])
        },
    },
    Giant {
        name: "a chain of steps that read each other",
        make: |size| {
            one_workflow((0..size).map(|n| json!({
        "id": format!("s{n}"), "primitive": "locator.value",
        "args": { "locator": { "selector": format!("{{% steps.s{}.output.value %}}", n.saturating_sub(1)) } },
    })).collect())
        },
    },
    Giant {
        name: "unknown primitives",
        make: |size| {
            one_workflow(
                (0..size)
                    .map(|n| json!({ "id": format!("s{n}"), "primitive": format!("pointer.clic{n}") }))
                    .collect(),
            )
        },
    },
    Giant {
        name: "a long name of a primitive",
        make: |size| one_workflow(vec![json!({ "id": "a", "primitive": "p".repeat(size) })]),
    },
    Giant { name: "a long selector", make: |size| selector("a ".repeat(size)) },
    Giant { name: "a selector of brackets", make: |size| selector("[".repeat(size)) },
    Giant { name: "a selector of nested functions", make: |size| selector(":not(".repeat(size)) },
    Giant { name: "a selector of commas", make: |size| selector("a,".repeat(size)) },
    Giant { name: "a long path", make: |size| xpath("/a".repeat(size)) },
    Giant { name: "a path of brackets", make: |size| xpath("(".repeat(size)) },
    Giant { name: "a path of predicates", make: |size| xpath(format!("//a{}", "[a".repeat(size))) },
    Giant { name: "a path of minus signs", make: |size| xpath("-".repeat(size)) },
    Giant { name: "a long expression", make: |size| expression(format!("0{}", "+1".repeat(size))) },
    Giant { name: "an expression of brackets", make: |size| expression("(".repeat(size)) },
    Giant { name: "an expression of names", make: |size| expression(format!("a{}", ".a".repeat(size))) },
    Giant {
        name: "an expression of variables",
        make: |size| expression(format!("({})", "$x := $x; ".repeat(size))),
    },
    Giant {
        name: "an expression of bindings that read each other",
        make: |size| {
            let bindings: String = (0..size).map(|n| format!("$v{} := [$v{n}, $v{n}]; ", n + 1)).collect();
            expression(format!("($v0 := steps; {bindings} $v{size})"))
        },
    },
    Giant {
        name: "an expression of references",
        make: |size| expression(vec!["steps.a.output"; size].join(" & ")),
    },
    Giant { name: "an expression of functions", make: |size| expression("function($x){".repeat(size)) },
    Giant { name: "an unclosed comment", make: |size| expression(format!("/*{}", " /*".repeat(size))) },
    Giant {
        name: "slots",
        make: |size| {
            one_workflow(vec![
                json!({ "id": "a", "primitive": "page.info", "args": { "x": vec!["{% input.a %}"; size] } }),
            ])
        },
    },
    Giant { name: "marks of slots", make: |size| expression("{% ".repeat(size)) },
    Giant { name: "a pattern of stars", make: |size| schema(json!({ "pattern": "a*".repeat(size) })) },
    Giant {
        name: "a pattern that counts",
        make: |size| schema(json!({ "pattern": format!("(a{{{size}}}){{{size}}}") })),
    },
    Giant {
        name: "nested alternatives of a schema",
        make: |size| {
            schema(
                (0..size.min(40))
                    .fold(json!(true), |inner, _| json!({ "anyOf": [inner, { "type": "object" }] })),
            )
        },
    },
    Giant {
        name: "properties",
        make: |size| {
            schema(json!({
                "properties": (0..size).map(|n| (format!("p{n}"), json!({ "type": "string", "default": 1 }))).collect::<Value>(),
                "required": (0..size).map(|n| format!("q{n}")).collect::<Vec<_>>(),
            }))
        },
    },
    Giant {
        name: "references of a schema",
        make: |size| {
            schema(json!({
                "$defs": (0..size).map(|n| (format!("d{n}"), json!({ "$ref": format!("#/$defs/d{}", n + 1) }))).collect::<Value>(),
            }))
        },
    },
    Giant {
        name: "tools that call each other",
        make: |size| {
            with(json!({ "tools": (0..size).map(|n| {
        let mut tool = tool(n);
        tool["workflow"]["steps"] = json!([
            { "id": "a", "primitive": "actions.site", "args": { "mode": "call", "action": format!("tool{}", (n + 1) % size), "arguments": {} } },
            { "id": "b", "primitive": "actions.site", "args": { "mode": "call", "action": format!("tool{}", (n + 2) % size), "arguments": {} } },
        ]);
        tool
    }).collect::<Vec<_>>() }))
        },
    },
    Giant {
        name: "fields of a projection",
        make: |size| {
            with(json!({ "state_projections": [{
        "name": "p",
        "snapshot": {
            "version": 1, "source": "dom",
            "extract": [{ "id": "r", "selector": "a", "fields": (0..size).map(|n| (format!("f{n}"), json!({ "selector": ">" }))).collect::<Value>() }],
            "projection": { "language": "jsonata", "expression": vec!["records.r.nope"; size].join(" & ") },
        },
    }] }))
        },
    },
    Giant {
        name: "text that looks private",
        make: |size| with(json!({ "prompt": "/home/a eyJ".repeat(size) })),
    },
    Giant {
        name: "a long address",
        make: |size| with(json!({ "scope": { "url_matches": "*a".repeat(size) } })),
    },
    Giant {
        name: "imports",
        make: |size| {
            with(
                json!({ "imports": (0..size).map(|n| json!({ "id": format!("i{n}"), "uri": "x.json" })).collect::<Vec<_>>() }),
            )
        },
    },
    Giant {
        name: "files",
        make: |size| {
            with(
                json!({ "context": [{ "id": "c", "body": "x", "source": { "files": vec!["../x"; size] } }] }),
            )
        },
    },
];

/// A map with these members beside what every map has.
fn with(members: Value) -> Value {
    let mut map = json!({ "protocol": "actions.json", "version": 1, "tools": [] });
    for (key, member) in members.as_object().into_iter().flatten() {
        map[key.as_str()] = member.clone();
    }
    map
}

fn tool(number: usize) -> Value {
    json!({
        "name": format!("tool{number}"),
        "description": "x",
        "input_schema": { "type": "object", "additionalProperties": false },
        "workflow": { "version": 1, "expression_language": "jsonata", "steps": [{ "id": "a", "primitive": "page.info" }] },
    })
}

fn one_workflow(steps: Vec<Value>) -> Value {
    let mut tool = tool(0);
    tool["workflow"]["steps"] = steps.into();
    with(json!({ "tools": [tool] }))
}

fn selector(text: String) -> Value {
    one_workflow(vec![
        json!({ "id": "a", "primitive": "locator.value", "args": { "locator": { "selector": text } } }),
    ])
}

fn xpath(text: String) -> Value {
    one_workflow(vec![
        json!({ "id": "a", "primitive": "locator.value", "args": { "locator": { "xpath": text } } }),
    ])
}

fn expression(text: String) -> Value {
    let mut tool = tool(0);
    tool["workflow"]["output"] = format!("{{% {text} %}}").into();
    with(json!({ "tools": [tool] }))
}

fn schema(schema: Value) -> Value {
    let mut tool = tool(0);
    tool["input_schema"] = schema;
    with(json!({ "tools": [tool] }))
}
