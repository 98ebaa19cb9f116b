// SPDX-License-Identifier: Apache-2.0
#include "fedstein/live/token_form.h"

namespace fedstein {
namespace {

// The colours are those of web/src/style/page.css.
constexpr const char* kBefore = R"html(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'">
<title>fedstein live</title>
<style>
:root { color-scheme: light dark; --paper: #fff; --ground: #f5f7fa; --ink: #1b2430; --soft: #586472; --edge: #cdd5de; --accent: #0b63b0; --bad: #b4380a; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #141a22; --ground: #0d1218; --ink: #e8edf3; --soft: #9dabbb; --edge: #3b4756; --accent: #6cb6ff; --bad: #ff8a5b; }
}
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 26rem; margin: 16vh auto 0; padding: 0 16px; }
form { display: grid; gap: .9rem; padding: 1.6rem; background: var(--paper); border: 1px solid var(--edge); border-radius: 14px; }
h1 { margin: 0; font-size: 1.25rem; }
p { margin: 0; color: var(--soft); font-size: .92rem; }
p.bad { color: var(--bad); }
label { display: grid; gap: .3rem; font-size: .9rem; }
input, button { font: inherit; padding: .45rem .7rem; border: 1px solid var(--edge); border-radius: 7px; background: var(--paper); color: var(--ink); }
button { background: var(--accent); border-color: var(--accent); color: var(--paper); font-weight: 600; cursor: pointer; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
</style>
</head>
<body><main><form method="post" action="/token">
<h1>fedstein live</h1>
<p>This page shows a running federation to those who have its token.</p>
)html";
constexpr const char* kAfter =
    R"html(<label>Token <input type="password" name="token" required autofocus autocomplete="current-password"></label>
<button>Show the page</button>
</form></main></body>
</html>
)html";

}  // namespace

std::string token_form(const std::string& remark) {
  return kBefore + (remark.empty() ? "" : "<p class=\"bad\" role=\"alert\">" + remark + "</p>\n") + kAfter;
}

}  // namespace fedstein
