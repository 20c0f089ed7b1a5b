use serde_json::Value;

use crate::Failure;
use crate::outward::outward;
use crate::patience::Patience;
use crate::perform::Perform;
use crate::scene::Scene;

/// Joins each name to what performs it: a module with `async fn perform(Scene, Args) -> Result<Output, Failure>`, or, for
/// `read`, the function of the page script that has the same name and does all of it; `place` says where things are, too,
/// and `hand_on` gives what the page gave without looking at it again.
macro_rules! table {
    (read { $($read:literal;)+ } place { $($place:literal;)+ } hand_on { $($large:literal $($from:ident)::+;)+ } perform { $($name:literal $($module:ident)::+;)+ }) => {
        /// Every primitive this engine performs, and its function.
        pub(crate) static TABLE: &[(&str, Perform)] = &[
            $(($read, |scene, args| Box::pin(async move { read(&scene, $read, args).await })),)+
            $(($place, |scene, args| Box::pin(async move { place(&scene, $place, args).await })),)+
            $(($large, |scene, args| Box::pin(async move {
                crate::$($from)::+::perform(scene, read_args(&scene, args)?).await
            })),)+
            $(($name, |scene, args| Box::pin(async move {
                let args = read_args(&scene, args)?;
                let output = crate::$($module)::+::perform(scene, args).await?;
                write_output(&scene, &output)
            })),)+
        ];
    };
}

table! {
    read {
        "browser.extract_elements";
        "dom.observe.attributes";
        "dom.snapshot_text";
        "locator.text_content";
        "locator.value";
        "locator.wait_for";
        "page.fetch";
        "page.info";
    }
    place {
        "dom.list_sections";
        "dom.observe.visible";
    }
    hand_on {
        "dom.extract" dom::extract;
    }
    perform {
        "browser.back" browser::back;
        "browser.dismiss_dialog" browser::dismiss_dialog;
        "browser.forward" browser::forward;
        "browser.navigate" browser::navigate;
        "browser.run_javascript" debug::run_javascript;
        "browser.screenshot" browser::screenshot;
        "browser.wait_for_navigation" browser::wait_for_navigation;
        "debug.run_javascript" debug::run_javascript;
        "dom.focus" dom::focus;
        "form.select_option" form::select_option;
        "form.set_checked" form::set_checked;
        "form.submit" form::submit;
        "form.upload" form::upload;
        "keyboard.press" keyboard::press;
        "locator.element_info" locator::element_info;
        "marker.query" marker::query;
        "overlay.menu.collapse" overlay;
        "overlay.menu.expand" overlay;
        "overlay.menu.hide" overlay;
        "overlay.menu.move" overlay;
        "overlay.menu.show" overlay;
        "pointer.click" pointer::click;
        "pointer.double_click" pointer::double_click;
        "pointer.drag" pointer::drag;
        "pointer.move" pointer::r#move;
        "runtime.configure_pacing" runtime::configure_pacing;
        "storage.list" storage::list;
        "task.add" task::add;
        "task.clear" task::clear;
        "task.complete" task::complete;
        "task.list" task::list;
        "task.next" task::next;
        "text.insert" text::insert;
        "text.type" text::r#type;
        "transfer.clear" transfer::clear;
        "transfer.read" transfer::read;
        "transfer.write" transfer::write;
        "viewport.scroll" viewport::scroll;
    }
}

/// Calls the function of the page script that is the primitive; an output that has the locator gets it.
async fn read(scene: &Scene<'_>, function: &str, args: Value) -> Result<Value, Failure> {
    let mut output: Value = scene.read(function, &args).await?;
    if scene.primitive.output_has_path(&["locator"]) == Some(true) {
        output["locator"] = args["locator"].clone();
    }
    Ok(output)
}

/// As [`read`], with every place as the main viewport sees it.
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

/// The names of the primitives this engine performs.
pub fn performed() -> impl Iterator<Item = &'static str> {
    TABLE.iter().map(|(name, _)| *name)
}
