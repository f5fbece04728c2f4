// SPDX-License-Identifier: MIT
// The scene's text beside the picture, in CodeMirror: what is selected is marked in both, mistakes stand
// where they are, fields are completed and explained from the schema.

const PAUSE = 500;  // milliseconds without a key, after which what was typed is sent

class TextPane {
  constructor(editor) {
    this.editor = editor;
    this.panel = find("text");
    this.told = element("p", {class: "text-state", role: "status"});
    this.box = element("div", {class: "text-pane", hidden: true}, this.told);
  }

  open() {
    this.make();
    for (const child of this.panel.children) child.hidden = child !== this.box;
    this.box.hidden = false;
    if (this.editor.desk) this.show(this.editor.desk);
  }

  close() {
    for (const child of this.panel.children) child.hidden = child === this.box;
  }

  make() {
    if (this.pane) return;
    const {EditorState, EditorView, Decoration, StateField, StateEffect, keymap, lineNumbers, highlightActiveLine, highlightSpecialChars, drawSelection, hoverTooltip} = CodeMirror;
    const {defaultKeymap, history, historyKeymap, indentWithTab, HighlightStyle, syntaxHighlighting, bracketMatching, indentOnInput, indentUnit, yaml, autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, lintGutter, tags} = CodeMirror;
    this.mark = StateEffect.define();
    const marked = StateField.define({
      create: () => Decoration.none,
      update: (value, transaction) => {
        for (const effect of transaction.effects) if (effect.is(this.mark)) return effect.value;
        return value.map(transaction.changes);
      },
      provide: (field) => EditorView.decorations.from(field),
    });
    const colors = HighlightStyle.define([
      {tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--k)"}, {tag: [tags.string, tags.special(tags.string)], color: "var(--s)"},
      {tag: [tags.number, tags.bool, tags.null], color: "var(--n)"}, {tag: tags.comment, color: "var(--c)"}, {tag: [tags.labelName, tags.typeName], color: "var(--f)"}]);
    const {nonce} = JSON.parse(find("rigid-data").textContent);
    this.pane = new EditorView({
      parent: this.box,
      state: EditorState.create({extensions: [
        EditorView.cspNonce.of(nonce), lineNumbers(), highlightActiveLine(), highlightSpecialChars(), drawSelection(), history(), indentOnInput(), indentUnit.of("  "), bracketMatching(), closeBrackets(),
        yaml(), syntaxHighlighting(colors), marked, lintGutter(), autocompletion({override: [(context) => this.complete(context)]}), hoverTooltip((view, at) => this.explain(view, at)),
        keymap.of([{key: "Escape", run: () => { find("picture").focus(); return true; }}, {key: "Mod-s", run: () => { this.send(); return true; }}, ...closeBracketsKeymap, ...completionKeymap, ...historyKeymap, ...defaultKeymap, indentWithTab]),
        EditorView.contentAttributes.of({"aria-label": "The scene's text", spellcheck: "false"}),
        EditorView.updateListener.of((update) => this.updated(update)),
        EditorView.theme({"&": {fontSize: "12.5px", height: "100%"}, ".cm-scroller": {fontFamily: "ui-monospace, Menlo, Consolas, monospace", lineHeight: "1.55"},
          ".cm-gutters": {background: "var(--card)", color: "var(--quiet)", border: "0"}, ".cm-activeLine": {background: "var(--soft)"}, ".cm-content": {caretColor: "var(--ink)"},
          ".cm-cursor": {borderLeftColor: "var(--ink)"}, "&.cm-focused": {outline: "none"}, "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": {background: "var(--lit) !important"}, ".cm-lit": {background: "var(--lit)"},
          ".cm-tooltip": {background: "var(--card)", color: "var(--ink)", border: "1px solid var(--line)", borderRadius: "8px", maxWidth: "360px"}}),
      ]}),
    });
    this.panel.append(this.box);
    this.pane.scrollDOM.tabIndex = 0;
    window.addEventListener("beforeunload", (event) => { if (this.isTyped) event.preventDefault(); });
  }

  get written() { return this.pane.state.doc.toString(); }

  // The text of the file: only what differs is changed, so that the cursor stays.
  show(desk) {
    if (!this.pane || this.isTyped) return this.tellState();
    const now = this.written, text = desk.text;
    if (now !== text) {
      let from = 0, end = now.length, last = text.length;
      while (from < end && from < last && now[from] === text[from]) from += 1;
      while (end > from && last > from && now[end - 1] === text[last - 1]) { end -= 1; last -= 1; }
      const {addToHistory} = this.pane.state.update({}).constructor;  // undone here is what was typed here
      this.isTold = true;
      this.pane.dispatch({changes: {from, to: end, insert: text.slice(from, last)}, annotations: addToHistory.of(false)});
      this.isTold = false;
    }
    this.diagnose(this.editor.problems);
    this.light();
    this.tellState();
  }

  updated(update) {
    if (update.docChanged && !this.isTold) {
      this.isTyped = true;
      this.tellState();
      clearTimeout(this.pausing);
      this.pausing = setTimeout(() => this.send(), PAUSE);
    } else if (update.selectionSet && !this.isTold && this.pane.hasFocus) this.pickAtCursor();
  }

  async send() {
    clearTimeout(this.pausing);
    if (!this.isTyped) return;
    const text = this.written, {desk} = this.editor;
    const answer = await this.editor.edit({edit: "text", file: desk.file, text, gesture: "typing", version: desk.version}, {quiet: true});
    if (this.written !== text) return void (this.pausing = setTimeout(() => this.send(), PAUSE));  // typed on meanwhile
    if (answer?.done) {
      this.isTyped = false;
      this.trouble = "";
      this.diagnose(this.editor.problems);
    } else {
      this.trouble = answer?.refused ?? "not written";
      this.diagnose(answer?.problems?.length ? answer.problems : answer?.at ? [{...answer.at, message: answer.refused}] : []);
    }
    this.tellState();
  }

  tellState() {
    const bad = this.isTyped && this.trouble;
    this.told.textContent = bad ? `Not written: ${this.trouble}` : this.isTyped ? "Typing…" : `${this.editor.desk?.file ?? ""} is as it is here`;
    this.told.classList.toggle("bad", Boolean(bad));
  }

  diagnose(problems) {
    const {doc} = this.pane.state, own = problems.filter(({file, line}) => line && (!file || file.endsWith(this.editor.desk.file)));
    const found = own.map(({line, column, message}) => {
      const row = doc.line(clamp(line, 1, doc.lines)), from = Math.min(row.from + Math.max(0, (column || 1) - 1), row.to), rest = doc.sliceString(from, row.to);
      return {from, to: Math.min(row.to, from + Math.max(1, /^[^\s,\]}]*/.exec(rest)[0].length)), severity: "error", message};
    });
    this.pane.dispatch(CodeMirror.setDiagnostics(this.pane.state, found));
  }

  // ---------------------------------------------------------------- what is selected

  light() {
    if (!this.pane || !this.editor.desk || this.isTyped) return;
    const {Decoration} = CodeMirror, {doc} = this.pane.state, rows = [];
    for (const path of this.editor.paths()) {
      const range = this.editor.desk.lines[this.editor.entryOf(path).entry];
      if (range) for (let i = range[0]; i <= range[1] && i < doc.lines; i++) rows.push(doc.line(i + 1).from);
    }
    const marks = [...new Set(rows)].sort((a, b) => a - b), effects = [this.mark.of(Decoration.set(marks.map((from) => Decoration.line({class: "cm-lit"}).range(from))))];
    const shape = `${this.editor.paths().join(" ")}`;
    if (marks.length && shape !== this.lit && !this.pane.hasFocus) effects.push(CodeMirror.EditorView.scrollIntoView(marks[0], {y: "center"}));
    this.lit = shape;
    this.isTold = true;
    this.pane.dispatch({effects});
    this.isTold = false;
  }

  // The cursor in the text selects what it is in.
  pickAtCursor() {
    const {editor} = this, {state} = this.pane, line = state.doc.lineAt(state.selection.main.head).number - 1;
    const inside = Object.entries(editor.desk.lines).filter(([path, [first, last]]) => line >= first && line <= last && /^\w+(\.[^.[\]]+|\[\d+\])$/.test(path));
    const objects = inside.map(([path]) => editor.objectNamed(path)).filter(Boolean);
    if (!objects.length || editor.isSelected(objects[0])) return;
    this.lit = editor.pathOf(objects[0]);
    editor.select([objects[0]]);
  }

  // ---------------------------------------------------------------- the schema

  // The keys above a place of the text: by indentation, and inside braces by what opens them.
  pathAt(state, at) {
    const line = state.doc.lineAt(at), before = line.text.slice(0, at - line.from), keys = [], indent = /^\s*/.exec(line.text)[0].length;
    let least = /^\s*- /.test(line.text) ? indent + 1 : indent;
    for (let i = line.number - 1; i >= 1 && least > 0; i--) {
      const {text} = state.doc.line(i), own = /^\s*/.exec(text)[0].length, found = /^\s*((?:- )*)([\w.-]+):/.exec(text);
      if (!text.trim() || text.trim().startsWith("#") || own >= least) continue;
      if (found) keys.unshift(found[2]);
      if (/^\s*- /.test(text)) keys.splice(found ? 0 : 0, 0, "0");
      least = own;
    }
    const inner = [];
    let key = null;
    for (const found of before.matchAll(/([\w.-]+):(?=\s|$)|([{[])|([}\]])|(,)/g)) {
      if (found[1]) key = found[1];
      else if (found[2]) { inner.push(key ?? "0"); key = null; } else if (found[3]) { key = inner.pop() ?? null; } else key = null;
    }
    return {keys: [...keys, ...inner], key};
  }

  complete(context) {
    const {schema, schemas} = this.editor;
    if (!schema || !schemas) return null;
    const word = context.matchBefore(/[\w-]*/);
    if (!context.explicit && word.from === word.to) return null;
    const {keys, key} = this.pathAt(context.state, word.from), line = context.state.doc.lineAt(context.pos).text;
    const node = schemas.at((key ? [...keys, key] : keys).join("."));
    if (!node) return null;
    if (key) {
      const values = schemas.choicesOf(node);
      return values ? {from: word.from, options: values.map((label) => ({label, type: "enum"}))} : null;
    }
    const object = schemas.objectOf(node);
    if (!object) return null;
    const options = Object.entries(object.properties).map(([label, field]) => ({label, type: "property", info: schemas.whole(field).description, apply: line.includes(`${label}:`) ? label : `${label}: `}));
    return {from: word.from, options};
  }

  explain(view, at) {
    const {schemas} = this.editor, line = view.state.doc.lineAt(at), offset = at - line.from;
    const word = [...line.text.matchAll(/[\w.-]+(?=:)/g)].find((found) => offset >= found.index && offset <= found.index + found[0].length);
    if (!word || !schemas) return null;
    const {keys} = this.pathAt(view.state, line.from + word.index), node = schemas.at([...keys, word[0]].join("."));
    if (!node?.description) return null;
    const text = [node.description, schemas.rangeOf(node), schemas.choicesOf(node)?.join(", ")].filter(Boolean).join(" ");
    return {pos: line.from + word.index, end: line.from + word.index + word[0].length, above: true, create: () => ({dom: element("div", {class: "cm-explained"}, text)})};
  }
}
