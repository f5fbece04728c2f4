// SPDX-License-Identifier: MIT
// Questions that an edit has, and words that it needs.

class Dialogs {
  dialog(title, rows, done, label = "Do it") {
    return new Promise((resolve) => {
      const id = `dialog-${Dialogs.count = (Dialogs.count ?? 0) + 1}`;
      const form = element("form", {method: "dialog"}, ...rows, element("div", {class: "row buttons"}, element("span", {class: "space"}),
        element("button", {type: "button", class: "plain", click: () => box.close()}, "Cancel"), element("button", {type: "submit", class: "plain strong"}, label)));
      const box = element("dialog", {class: "ask", "aria-labelledby": id}, element("h2", {id}, title), form);
      let answer = null;
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        const given = done();
        if (given === undefined) return;  // there is nothing to be done yet
        answer = given;
        box.close();
      });
      box.addEventListener("close", () => {
        box.remove();
        resolve(answer);
      });
      document.body.append(box);
      box.showModal();
    });
  }

  // {values, remember}, or null.
  questions(asked) {
    const rows = asked.map(({key, about, question, options}) => element("fieldset", {},
      element("legend", {}, question), element("p", {class: "quiet"}, about ?? ""),
      ...options.map(({value, text}, i) => {
        const input = element("input", {type: "radio", name: key, value});
        input.checked = i === 0;
        return element("label", {class: "choice"}, input, element("span", {}, text));
      })));
    const always = element("input", {type: "checkbox"});
    rows.push(element("label", {class: "choice"}, always, element("span", {}, "Always so, while this page is open")));
    const chosen = () => Object.fromEntries(asked.map(({key}) => [key, document.querySelector(`dialog input[name="${CSS.escape(key)}"]:checked`).value]));
    return this.dialog("How shall the file say it?", rows, () => ({values: chosen(), remember: always.checked}));
  }

  word(label, value, title = label) {
    const input = element("input", {type: "text", value, "aria-label": label, autocomplete: "off", spellcheck: "false"});
    const wanted = this.dialog(title, [element("label", {class: "choice"}, element("span", {}, label), input)], () => input.value.trim());
    input.select();
    return wanted;
  }

  confirm(title, text, label) { return this.dialog(title, [element("p", {}, text)], () => true, label); }
}
