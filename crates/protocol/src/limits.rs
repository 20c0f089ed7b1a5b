//! The limits of the format and of a call, shared by the validator, the JSON Schema, expressions and the engine.

use crate::{ByteLimit, Millis};

/// The most steps of one workflow.
pub const STEPS: usize = 25;
/// The most items of one loop.
pub const ITEMS: usize = 50;
/// The most attempts of one retried step.
pub const ATTEMPTS: usize = 50;
/// How deep calls nest: a step of a tool calls another tool, and so on.
pub const CALL_DEPTH: usize = 4;

/// The longest time a step or a pause may ask for.
pub const WAIT: Millis = Millis(600_000);
/// The largest byte budget a map may ask for.
pub const BYTE_BUDGET: ByteLimit = ByteLimit(1_000_000);
/// The largest number of elements or instances a map may expect.
pub const COUNT: u64 = 1_000_000;

/// The largest map file.
pub const MAP_BYTES: ByteLimit = ByteLimit(16 * 1024 * 1024);
/// The largest JSON that a command reads as input.
pub const INPUT_BYTES: ByteLimit = ByteLimit(16 * 1024 * 1024);
/// The most values of that JSON: each takes far more memory than text.
pub const INPUT_VALUES: usize = 200_000;
/// How deep arrays and objects of a map nest, and those of a JSON Schema in it.
pub const MAP_DEPTH: usize = 128;
/// The most schemas within one JSON Schema of a map.
pub const SCHEMA_PARTS: usize = 2_000;
/// The most schemas of one JSON Schema that apply to one value, with references counted each time.
pub const SCHEMA_AT_ONCE: usize = 1_000;
/// The most states that the patterns of one JSON Schema have, with repetitions written out.
pub const PATTERN_STATES: usize = 20_000;
/// The most steps it may take to check one value against a JSON Schema.
pub const SCHEMA_STEPS: usize = 1_000_000;
/// The most faults of one value that are listed; the rest is counted.
pub const SCHEMA_FAULTS: usize = 20;
/// The most text that the faults of one value may take while they are found.
pub const SCHEMA_REPORT: ByteLimit = ByteLimit(64 * 1024 * 1024);
/// How deep imports nest.
pub const IMPORT_DEPTH: usize = 8;
/// The most maps of one composition: a map with everything it imports.
pub const COMPOSITION_MAPS: usize = 64;
/// The most tools of one composition.
pub const COMPOSITION_TOOLS: usize = 10_000;

/// The value of one expression, as compact JSON.
pub const EXPRESSION_BYTES: ByteLimit = ByteLimit(16_000);
/// The time one expression may take.
pub const EXPRESSION_TIME: Millis = Millis(1_000);
/// The value of a workflow, as compact JSON.
pub const OUTPUT_BYTES: ByteLimit = ByteLimit(32_000);
/// A whole state, as compact JSON, when neither the caller nor the projection names a budget.
pub const STATE_BYTES: ByteLimit = ByteLimit(48_000);
/// A summary, as compact JSON, when neither the caller nor the map names a budget.
pub const SUMMARY_BYTES: ByteLimit = ByteLimit(12_000);
/// The largest state that is computed at all, even if only its summary or its difference leaves the engine.
pub const WORKING_STATE_BYTES: ByteLimit = ByteLimit(16_000_000);

/// The time a call may take when the caller does not say.
pub const CALL_TIMEOUT: Millis = Millis(60_000);
/// The time between two attempts when the page does not change.
pub const RETRY_PAUSE: Millis = Millis(500);
/// The time the state and the target of a tool may take to appear.
pub const PRECONDITION_TIMEOUT: Millis = Millis(3_000);
/// The time a page may take to become what a projection describes.
pub const STATE_PATIENCE: Millis = Millis(3_000);
/// The time a postcondition may take to come true when the map does not say.
pub const POSTCONDITION_TIMEOUT: Millis = Millis(5_000);

/// The time a state that a transition leads to may take to come before the call reports that it did not.
pub const ARRIVAL_TIMEOUT: Millis = Millis(2_000);

/// A shorter secret is masked only where it is a whole word, because its characters occur everywhere.
pub const SHORT_SECRET: usize = 4;
/// The most secrets of a call that are looked for one by one. With more of them everything is masked.
pub const SECRETS: usize = 1_000;
/// The most text that these secrets have together.
pub const SECRET_BYTES: ByteLimit = ByteLimit(128 * 1024);

/// How deep frames are followed into frames.
pub const FRAME_DEPTH: usize = 32;
