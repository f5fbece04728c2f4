// SPDX-License-Identifier: MIT
// The parts of CodeMirror 6 that the text pane uses: `make codemirror` bundles it into core/page/assets/editor/codemirror.js.

export {EditorState, Compartment, StateField, StateEffect, Annotation, Transaction} from "@codemirror/state";
export {EditorView, Decoration, keymap, lineNumbers, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, drawSelection, hoverTooltip} from "@codemirror/view";
export {defaultKeymap, history, historyKeymap, indentWithTab} from "@codemirror/commands";
export {HighlightStyle, syntaxHighlighting, bracketMatching, indentOnInput, indentUnit} from "@codemirror/language";
export {yaml} from "@codemirror/lang-yaml";
export {autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap} from "@codemirror/autocomplete";
export {lintGutter, setDiagnostics} from "@codemirror/lint";
export {tags} from "@lezer/highlight";
