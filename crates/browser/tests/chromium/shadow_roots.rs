//! Closed shadow roots, which the driver discovers through the DevTools protocol.

use actions_browser::Call;
use serde_json::{Value, json};

use crate::stage::{on_every_browser, soon};

on_every_browser! {
    async fn closed_shadow_roots_are_found_and_searched(stage) {
        stage.server.page("/frame", "<div id=h></div><script>h.attachShadow({ mode: 'closed' }).innerHTML = '<b>framed</b>'</script>");
        stage.show("<div id=h></div><div id=o></div><input><iframe src=/frame></iframe><script>
            const outer = h.attachShadow({ mode: 'closed' });
            outer.innerHTML = '<p>outer</p><div></div>';
            outer.querySelector('div').attachShadow({ mode: 'closed' }).innerHTML = '<b>inner</b>';
            o.attachShadow({ mode: 'open' }).innerHTML = '<i>open</i>'</script>").await;
        let main = stage.page.main_frame();
        let frame = stage.frame(&main, "iframe").await;
        let roots = stage.page.closed_shadow_roots(&main, soon()).await.unwrap();
        assert_eq!(roots.len(), 2);
        let args = json!({ "locator": { "selector": "b" } });
        let call = Call::new(&main, "locator.text_content", &args).with_nodes(&roots);
        let answer: Value = stage.page.call(call, soon()).await.unwrap();
        assert_eq!(answer["text"], "inner");
        assert_eq!(stage.page.closed_shadow_roots(&frame, soon()).await.unwrap().len(), 1);
    }
}
