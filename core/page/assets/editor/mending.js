// SPDX-License-Identifier: MIT
// The text of a file that is wrong from the start, with its mistakes: there is no scene yet that the tools
// could show. They open as soon as the text is right.

class Mending {
  constructor(link) {
    Object.assign(this, {link, desk: null, player: null, selection: [], waiting: new Map(), asked: 0, problems: []});
    Object.assign(document.documentElement.dataset, {edits: "true", mends: "true"});
    tabs(find("tabs"))("tab-text");
    for (const tab of find("tabs").children) tab.hidden = tab.id !== "tab-text";
    this.text = new TextPane(this);
    this.text.pickAtCursor = () => {};  // nothing can be selected yet
    this.text.open();
    this.ask({ask: "hello"}).then(({schema}) => { this.schema = schema; });
  }

  ask(request) {
    const id = this.asked += 1;
    this.link.ask({do: "desk", id, ...request});
    return new Promise((resolve) => this.waiting.set(id, resolve));
  }

  hear(answer) {
    this.waiting.get(answer.id)?.(answer);
    this.waiting.delete(answer.id);
  }

  know(desk) {
    this.desk = desk;
    this.text.show(desk);
  }

  tell(trouble) {
    this.problems = trouble?.problems ?? [];
    if (this.desk) this.text.diagnose(this.problems);
  }

  edit(edit) { return this.ask({ask: "edit", edit}); }
  paths() { return []; }

  // The tools go on with the text, the cursor, and what is typed and not written yet.
  handOver(editor) {
    const {text, desk} = this, {anchor} = text.pane.state.selection.main, typed = text.isTyped ? text.written : null, hadFocus = text.pane.hasFocus;
    text.box.remove();
    delete document.documentElement.dataset.mends;
    for (const tab of find("tabs").children) tab.hidden = false;
    editor.open();
    if (desk) editor.know(desk);
    editor.player.chooseTab("tab-text");
    const {pane} = editor.text;
    if (typed !== null) pane.dispatch({changes: {from: 0, to: pane.state.doc.length, insert: typed}});
    pane.dispatch({selection: {anchor: Math.min(anchor, pane.state.doc.length)}});
    if (hadFocus) pane.focus();
  }
}
