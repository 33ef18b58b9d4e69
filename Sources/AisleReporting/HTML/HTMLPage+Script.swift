extension HTMLPage {
  /// What the page does beyond showing: counts of confused sections become buttons that filter the errors, and a box searches them.
  static let script = Markup(
    raw: """

      "use strict";
      (() => {
        const find = (id) => document.getElementById(id);

        // A box that has nothing to scroll is no stop for the Tab key.
        const sizes = new ResizeObserver((entries) => {
          for (const { target } of entries) target.tabIndex = target.scrollWidth > target.clientWidth ? 0 : -1;
        });
        for (const box of document.querySelectorAll(".scroll")) sizes.observe(box);

        const table = find("error-table");
        if (!table) return;
        document.documentElement.classList.add("scripted");
        const [search, clear, status, title] = ["error-search", "error-clear", "error-status", "errors-title"].map(find);
        const rows = [...table.tBodies[0].rows];
        const summary = status.textContent;
        const fold = (text) => text.normalize("NFD").replace(/\\p{M}/gu, "").toLowerCase();
        const texts = [];
        const buttons = [];
        const names = new Map();
        for (const cell of document.querySelectorAll("[data-section]")) names.set(cell.dataset.section, cell.textContent.trim());
        let pair = "";

        const describe = (pair) => {
          const [truth, answer] = pair.split("-").map((place) => names.get(place) ?? "another section");
          return `${truth} answered as ${answer}`;
        };

        const show = () => {
          const words = fold(search.value).split(/\\s+/).filter(Boolean);
          let count = 0;
          rows.forEach((row, place) => {
            const isShown = (!pair || row.dataset.pair === pair)
              && words.every((word) => (texts[place] ??= fold(row.textContent)).includes(word));
            row.hidden = !isShown;
            if (isShown) count += 1;
          });
          for (const button of buttons) button.setAttribute("aria-pressed", button.dataset.of === pair);
          clear.hidden = !pair && words.length === 0;
          const filters = [];
          if (pair) filters.push(describe(pair));
          if (words.length) filters.push(`with “${search.value.trim()}”`);
          const shown = count.toLocaleString("en-US");
          const all = rows.length.toLocaleString("en-US");
          status.textContent = filters.length
            ? `${count ? shown : "None"} of ${all} errors: ${filters.join(", ")}.`
            : summary;
        };

        const reset = () => {
          pair = "";
          search.value = "";
          show();
          search.focus();
        };

        for (const cell of document.querySelectorAll("td[data-pair]")) {
          const button = document.createElement("button");
          button.type = "button";
          button.dataset.of = cell.dataset.pair;
          button.textContent = cell.textContent;
          button.setAttribute("aria-pressed", "false");
          button.setAttribute("aria-label", `${cell.textContent}: ${describe(cell.dataset.pair)}; show these errors`);
          button.title = describe(cell.dataset.pair);
          button.addEventListener("click", () => {
            pair = pair === button.dataset.of ? "" : button.dataset.of;
            show();
            if (!pair) return;
            title.focus({ preventScroll: true });
            title.scrollIntoView();
          });
          cell.replaceChildren(button);
          buttons.push(button);
        }
        search.closest("[role=search]").hidden = false;
        search.addEventListener("input", show);
        clear.addEventListener("click", reset);
        document.addEventListener("keydown", (event) => {
          if (event.key === "Escape" && !clear.hidden) reset();
        });
        // A browser that goes back to this page fills the box in again.
        if (search.value) show();
      })();

      """)
}
