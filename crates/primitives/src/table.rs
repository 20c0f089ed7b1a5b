//! Finds the function that performs a primitive.

use futures_util::future::BoxFuture;
use serde_json::Value;

use crate::Failure;
use crate::outward::outward;
use crate::patience::Patience;
use crate::scene::Scene;

/// The function that performs a primitive.
pub(crate) type Perform = for<'s> fn(Scene<'s>, Value) -> BoxFuture<'s, Result<Value, Failure>>;

macro_rules! table {
    ($($family:ident { $($kind:ident $name:literal $($module:ident)::*;)+ })+) => {
        /// Every primitive that this crate performs, and its function.
        pub(crate) static TABLE: &[(&str, Perform)] =
            &[$($(($name, |scene, args| Box::pin(async move { function!($kind $name $($module)::*, scene, args) })),)+)+];
    };
}

/// The body of a function of the table, by the kind of its row.
macro_rules! function {
    (read $name:literal, $scene:ident, $args:ident) => {
        read(&$scene, $name, $args).await
    };
    (place $name:literal, $scene:ident, $args:ident) => {
        place(&$scene, $name, $args).await
    };
    (raw $name:literal $($module:ident)::+, $scene:ident, $args:ident) => {
        crate::$($module)::+::perform($scene, read_args(&$scene, $args)?).await
    };
    (perform $name:literal $($module:ident)::+, $scene:ident, $args:ident) => {{
        let args = read_args(&$scene, $args)?;
        let output = crate::$($module)::+::perform($scene, args).await?;
        write_output(&$scene, &output)
    }};
}

include!("table/rows.rs");

/// Calls the function of the page script with the name of the primitive, and adds the locator if the output has one.
async fn read(scene: &Scene<'_>, function: &str, args: Value) -> Result<Value, Failure> {
    let mut output: Value = scene.read(function, &args).await?;
    if scene.primitive.output_has_path(&["locator"]) == Some(true) {
        output["locator"] = args["locator"].clone();
    }
    Ok(output)
}

/// Like [`read`], and converts every position in the output to the main viewport.
async fn place(scene: &Scene<'_>, function: &str, args: Value) -> Result<Value, Failure> {
    let (path, args) = scene.aim(&args, Patience::of(scene, 0)).await?;
    let mut output: Value = scene.read_in(&path.frame, function, &args).await?;
    outward(scene, &path, &mut output).await?;
    Ok(output)
}

fn read_args<T: serde::de::DeserializeOwned>(scene: &Scene<'_>, args: Value) -> Result<T, Failure> {
    serde_json::from_value(args).map_err(|error| {
        let message = format!("the arguments of `{}` cannot be read: {error}", scene.primitive.name);
        Failure::new(actions_protocol::ErrorCode::InvalidInput, message)
    })
}

fn write_output<T: serde::Serialize>(scene: &Scene<'_>, output: &T) -> Result<Value, Failure> {
    serde_json::to_value(output).map_err(|error| {
        let message = format!("the output of `{}` cannot be written: {error}", scene.primitive.name);
        Failure::new(actions_protocol::ErrorCode::InternalError, message)
    })
}

/// The names of the primitives that this crate performs.
pub fn performed() -> impl Iterator<Item = &'static str> {
    TABLE.iter().map(|(name, _)| *name)
}
