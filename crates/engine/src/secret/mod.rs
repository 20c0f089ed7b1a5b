//! Which parts of an input are secret, and what expressions compute from them.

mod marked;

use actions_expr::Expression;
use actions_trace::Secrets;
use serde_json::{Map, Value};

/// The secrets of an input.
pub(crate) fn of_input(schema: &Map<String, Value>, input: &Value) -> Secrets {
    let secrets = Secrets::default();
    learn_input(&secrets, schema, input);
    secrets
}

/// Adds the secrets of another input: that of a call that a step makes.
pub(crate) fn learn_input(secrets: &Secrets, schema: &Map<String, Value>, input: &Value) {
    match marked::marked(schema, input) {
        Some(marked) => marked.into_iter().for_each(|value| secrets.learn(value)),
        None => secrets.learn_everything(),
    }
}

/// Adds what the schema of a primitive marks as secret in its arguments or its output.
pub(crate) fn learn_marked(secrets: &Secrets, schema: &Value, value: &Value) {
    if let Value::Object(schema) = schema {
        learn_input(secrets, schema, value);
    }
}

/// Whether anything that an expression reads contains a secret.
pub(crate) fn are_read_by(secrets: &Secrets, expression: &Expression, scope: &Value) -> bool {
    sources(expression, scope).iter().any(|source| secrets.occur_in(source))
}

/// Follows secrets from what an expression reads into the value it computed.
pub(crate) fn follow(secrets: &Secrets, expression: &Expression, scope: &Value, value: &Value) {
    secrets.follow(&sources(expression, scope), expression.source(), value);
}

/// The values of a scope that an expression reads.
fn sources<'s>(expression: &Expression, scope: &'s Value) -> Vec<&'s Value> {
    let mut sources = Vec::new();
    if expression.reads_scope_as_a_whole() {
        sources.push(scope);
    }
    for path in expression.paths() {
        let names: Vec<&str> = path.names.iter().map(|name| name.text.as_str()).collect();
        reach(scope, &names, &mut sources);
    }
    sources
}

/// The values a path leads to, through arrays as JSONata goes.
fn reach<'v>(value: &'v Value, path: &[&str], found: &mut Vec<&'v Value>) {
    match (path, value) {
        ([], _) => found.push(value),
        (_, Value::Array(items)) => items.iter().for_each(|item| reach(item, path, found)),
        ([name, rest @ ..], _) => value.get(name).into_iter().for_each(|member| reach(member, rest, found)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn input() -> Value {
        json!({ "user": "ada", "password": "hunter22", "pin": "7" })
    }

    fn secrets() -> Secrets {
        let schema = json!({ "properties": {
            "user": { "type": "string" },
            "password": { "type": "string", "writeOnly": true },
            "pin": { "type": "string", "format": "password" },
        }});
        of_input(schema.as_object().unwrap(), &input())
    }

    fn made(secrets: &Secrets, expression: &str, scope: Value) -> Value {
        let expression = Expression::compile(expression).unwrap();
        let value =
            expression.evaluate(&scope, &actions_expr::Budget::default()).unwrap().into_json_or_null();
        follow(secrets, &expression, &scope, &value);
        value
    }

    #[test]
    fn what_an_expression_makes_of_a_secret_is_secret() {
        let secrets = secrets();
        made(&secrets, "$uppercase(input.password)", json!({ "input": input() }));
        made(&secrets, "$uppercase(input.user) & '-LOVELACE'", json!({ "input": input() }));
        assert_eq!(*secrets.mask("HUNTER22 ADA-LOVELACE"), "[secret] ADA-LOVELACE");
    }

    #[test]
    fn what_is_made_of_a_secret_within_a_longer_text_is_secret_alone_too() {
        let secrets = secrets();
        let expression =
            "'/open?as=' & input.user & '&word=' & $uppercase(input.password) & '&pin=' & input.pin";
        made(&secrets, expression, json!({ "input": input() }));
        assert_eq!(
            *secrets.mask("seen?word=HUNTER22&pin=7 by ada"),
            "seen?word=[secret]&pin=[secret] by ada"
        );
    }

    #[test]
    fn what_is_beside_a_secret_stays_open() {
        let secrets = secrets();
        made(
            &secrets,
            "{'who': input.user, 'mode': 'replace', 'text': input.password}",
            json!({ "input": input() }),
        );
        assert_eq!(*secrets.mask("ada replace hunter22"), "ada replace [secret]");
    }

    #[test]
    fn a_secret_is_followed_through_the_results_of_steps() {
        let secrets = secrets();
        let scope = json!({ "steps": { "typed": { "output": { "value": "hunter22" } } } });
        made(&secrets, "$substring(steps.typed.output.value, 0, 6)", scope);
        assert_eq!(*secrets.mask("hunter"), "[secret]");
    }
}
