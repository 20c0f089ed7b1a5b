use serde_json::Value;

use crate::Failure;
use crate::perform::Perform;
use crate::scene::Scene;

/// Joins each name to what performs it: a module with `async fn perform(Scene, Args) -> Result<Output, Failure>`, or, for
/// `read`, the function of the page script that has the same name and does all of it.
macro_rules! table {
    (read { $($read:literal;)+ } perform { $($name:literal $($module:ident)::+;)+ }) => {
        /// Every primitive this engine performs, and its function.
        pub(crate) static TABLE: &[(&str, Perform)] = &[
            $(($read, |scene, args| Box::pin(async move { scene.read($read, &args).await })),)+
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
        "dom.extract";
        "dom.list_sections";
        "dom.observe.attributes";
        "dom.observe.visible";
        "dom.snapshot_text";
        "locator.element_info";
        "locator.text_content";
        "locator.value";
        "locator.wait_for";
        "page.fetch";
        "page.info";
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
        "overlay.menu.collapse" overlay;
        "overlay.menu.expand" overlay;
        "overlay.menu.hide" overlay;
        "overlay.menu.move" overlay;
        "overlay.menu.show" overlay;
        "pointer.click" pointer::click;
        "pointer.double_click" pointer::double_click;
        "pointer.drag" pointer::drag;
        "pointer.move" pointer::r#move;
        "text.insert" text::insert;
        "text.type" text::r#type;
        "viewport.scroll" viewport::scroll;
    }
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
