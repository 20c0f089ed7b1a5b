// The table of primitives, by family. `table.rs` makes functions of it, and `tests/cases/main.rs` makes tests of it: each
// includes this file with a macro `table!` of its own.
//
// read:    the function of the page script with the same name does everything.
// place:   like `read`, and the output has positions, which are converted to the main viewport.
// raw:     `perform` of the module returns JSON, which may be large and is passed on unchanged.
// perform: `perform` of the module takes typed arguments and returns a typed output.
table! {
    a11y {
        perform "a11y.announcements_configure" a11y::announcements_subscribe;
        perform "a11y.announcements_subscribe" a11y::announcements_subscribe;
        perform "a11y.events.read" a11y::events::read;
        perform "a11y.query" a11y::query;
        perform "a11y.tree" a11y::tree;
        perform "a11y.watch" a11y::watch;
    }
    bridge {
        perform "bridge.payloads.configure" bridge::payloads::configure;
    }
    browser {
        perform "browser.active_tab.set" browser::active_tab::set;
        perform "browser.back" browser::back;
        perform "browser.claimed_tabs.activate" browser::claimed_tabs::activate;
        perform "browser.claimed_tabs.list" browser::claimed_tabs::list;
        perform "browser.close_tab" browser::close_tab;
        perform "browser.dismiss_dialog" browser::dismiss_dialog;
        read "browser.extract_elements";
        perform "browser.forward" browser::forward;
        perform "browser.navigate" browser::navigate;
        perform "browser.open_tab" browser::open_tab;
        perform "browser.run_javascript" debug::run_javascript;
        perform "browser.screenshot" browser::screenshot;
        perform "browser.wait_for_download" browser::wait_for_download;
        perform "browser.wait_for_navigation" browser::wait_for_navigation;
    }
    clipboard {
        perform "clipboard.copy" clipboard::copy;
        perform "clipboard.paste" clipboard::paste;
        perform "clipboard.read" clipboard::read;
        perform "clipboard.write" clipboard::write;
    }
    cursor {
        perform "cursor.move_to" cursor::move_to;
    }
    debug {
        perform "debug.run_javascript" debug::run_javascript;
    }
    dom {
        raw "dom.extract" dom::extract;
        perform "dom.focus" dom::focus;
        place "dom.list_sections";
        read "dom.observe.attributes";
        place "dom.observe.visible";
        read "dom.snapshot_text";
    }
    flow {
        perform "flow.assert" flow::assert;
    }
    form {
        perform "form.select_option" form::select_option;
        perform "form.set_checked" form::set_checked;
        perform "form.submit" form::submit;
        perform "form.upload" form::upload;
    }
    http {
        perform "http.request" http::request;
    }
    keyboard {
        perform "keyboard.press" keyboard::press;
        perform "keyboard.press_gated" keyboard::press_gated;
    }
    locator {
        perform "locator.element_info" locator::element_info;
        read "locator.text_content";
        read "locator.value";
        read "locator.wait_for";
    }
    marker {
        perform "marker.query" marker::query;
    }
    overlay {
        perform "overlay.close" overlay::close;
        perform "overlay.menu.collapse" overlay::menu;
        perform "overlay.menu.expand" overlay::menu;
        perform "overlay.menu.hide" overlay::menu;
        perform "overlay.menu.move" overlay::menu;
        perform "overlay.menu.show" overlay::menu;
        perform "overlay.open" overlay::open;
        perform "overlay.register_launcher" overlay::register_launcher;
    }
    page {
        read "page.fetch";
        read "page.info";
    }
    pointer {
        perform "pointer.click" pointer::click;
        perform "pointer.double_click" pointer::double_click;
        perform "pointer.drag" pointer::drag;
        perform "pointer.move" pointer::r#move;
        perform "pointer.move_to" pointer::move_to;
        perform "pointer.wheel" pointer::wheel;
    }
    runtime {
        perform "runtime.agent.await_event" runtime::agent::await_event;
        perform "runtime.agent.memory_clear" runtime::agent::memory_clear;
        perform "runtime.agent.start" runtime::agent::start;
        perform "runtime.agent.stop" runtime::agent::stop;
        perform "runtime.agent.user_message" runtime::agent::user_message;
        perform "runtime.configure_pacing" runtime::configure_pacing;
        perform "runtime.session.finalize_tabs" runtime::session::finalize_tabs;
        perform "runtime.session.log" runtime::session::log;
        perform "runtime.session.name" runtime::session::name;
    }
    storage {
        perform "storage.import_bundle" storage::import_bundle;
        perform "storage.list" storage::list;
        perform "storage.read_file" storage::read_file;
        perform "storage.sync" storage::sync;
    }
    task {
        perform "task.add" task::add;
        perform "task.clear" task::clear;
        perform "task.complete" task::complete;
        perform "task.list" task::list;
        perform "task.next" task::next;
    }
    text {
        perform "text.insert" text::insert;
        perform "text.select" text::select;
        perform "text.type" text::r#type;
    }
    transfer {
        perform "transfer.clear" transfer::clear;
        perform "transfer.insert" transfer::insert;
        perform "transfer.read" transfer::read;
        perform "transfer.write" transfer::write;
    }
    viewport {
        perform "viewport.scroll" viewport::scroll;
    }
    wab {
        perform "wab.command" wab::command;
    }
    webmcp {
        perform "webmcp.call_tool" webmcp::call_tool;
    }
}
