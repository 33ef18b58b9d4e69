/// The tables of a store of corrections, version by version.
///
/// `application_id` says that a file is ours, `user_version` how many of the steps below it has. A file of an older version is brought
/// up to date when it is first opened for writing; reading takes what later
/// steps add as empty where it is not there yet.
package enum CorrectionSchema {
  /// "AISL" in ASCII.
  package static let applicationID: Int32 = 0x4149_534C

  /// What each version adds, a statement an element; a released step never changes.
  ///
  /// The third adds checksums of pages too: see `PageChecks`.
  package static let steps: [[String]] = [
    [
      """
      CREATE TABLE correction (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        store TEXT NOT NULL,
        key TEXT NOT NULL,        -- the item in normalized form
        item TEXT NOT NULL,
        section TEXT NOT NULL,
        shelf TEXT,
        proposer TEXT NOT NULL,
        model TEXT,
        time INTEGER NOT NULL,    -- milliseconds since 1970 in UTC
        UNIQUE (store, key)
      ) STRICT
      """,
      """
      CREATE TABLE suggestion (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        store TEXT NOT NULL,
        key TEXT NOT NULL,
        item TEXT NOT NULL,
        from_section TEXT NOT NULL,
        to_section TEXT NOT NULL,
        shelf TEXT,
        confidence REAL,
        list TEXT,                -- the list that was checked
        proposer TEXT NOT NULL,
        model TEXT,
        time INTEGER NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('pending', 'accepted', 'dismissed', 'superseded')),
        UNIQUE (store, key, from_section, to_section)
      ) STRICT
      """,
      "CREATE INDEX suggestion_state ON suggestion (state, id)",
      "CREATE INDEX suggestion_list ON suggestion (list) WHERE list IS NOT NULL",
      """
      CREATE TABLE action (       -- what can be undone, newest last
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        what TEXT NOT NULL,
        time INTEGER NOT NULL,
        can_undo INTEGER NOT NULL
      ) STRICT
      """,
      """
      CREATE TABLE change (       -- what each action changed, with how it was before
        revision INTEGER PRIMARY KEY AUTOINCREMENT,
        action INTEGER NOT NULL REFERENCES action (id) ON DELETE CASCADE,
        correction INTEGER,
        existed INTEGER NOT NULL DEFAULT 0,
        store TEXT, key TEXT, item TEXT, section TEXT, shelf TEXT, proposer TEXT, model TEXT, time INTEGER,
        suggestion INTEGER,
        from_section TEXT, to_section TEXT, state TEXT
      ) STRICT
      """,
      "CREATE INDEX change_action ON change (action)",
    ],
    [
      """
      CREATE TABLE answer_source (    -- what answers of language models depend on beside the item
        id INTEGER PRIMARY KEY,
        task TEXT NOT NULL,           -- categorize or check
        provider TEXT NOT NULL,
        model TEXT NOT NULL,          -- empty where the server chooses
        prompt INTEGER NOT NULL,
        sections TEXT NOT NULL,       -- what tells whether the sections and their goods are the same
        new_sections INTEGER NOT NULL,
        UNIQUE (task, provider, model, prompt, sections, new_sections)
      ) STRICT
      """,
      """
      CREATE TABLE answer (
        source INTEGER NOT NULL REFERENCES answer_source (id) ON DELETE CASCADE,
        item TEXT NOT NULL,           -- in normalized form
        present TEXT NOT NULL,        -- the section where it stood; empty where nobody asked about that
        section TEXT,                 -- nothing where the answer was no section
        is_new INTEGER NOT NULL,      -- whether the store lacks the section
        time INTEGER NOT NULL,
        PRIMARY KEY (source, item, present)
      ) STRICT, WITHOUT ROWID
      """,
      """
      CREATE TABLE request (          -- what was asked of language models, without items and answers
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        time INTEGER NOT NULL,        -- when it ended
        task TEXT NOT NULL,
        provider TEXT NOT NULL,
        model TEXT NOT NULL,
        items INTEGER NOT NULL,
        attempt INTEGER NOT NULL,
        input INTEGER NOT NULL,       -- tokens sent, of which
        cache_read INTEGER NOT NULL,  -- the provider had kept so many
        output INTEGER NOT NULL,
        dollars REAL,
        duration INTEGER NOT NULL,    -- milliseconds
        request_id TEXT,
        status INTEGER,
        failure TEXT
      ) STRICT
      """,
      """
      CREATE TABLE checked_list (
        store TEXT NOT NULL,
        list TEXT NOT NULL,
        fingerprint TEXT NOT NULL,    -- of the list as it was checked
        agreed TEXT NOT NULL,         -- of the list as the model would have it
        time INTEGER NOT NULL,        -- when the check began
        PRIMARY KEY (store, list)
      ) STRICT, WITHOUT ROWID
      """,
      """
      CREATE TABLE list_suggestion (  -- what the last check of each list suggested
        store TEXT NOT NULL,
        list TEXT NOT NULL,
        suggestion INTEGER NOT NULL REFERENCES suggestion (id) ON DELETE CASCADE,
        PRIMARY KEY (store, list, suggestion)
      ) STRICT, WITHOUT ROWID
      """,
      "CREATE INDEX list_suggestion_number ON list_suggestion (suggestion)",
    ],
    [
      """
      CREATE TABLE estimated_request (  -- those whose tokens and dollars are the most that it can have been
        request INTEGER PRIMARY KEY REFERENCES request (id) ON DELETE CASCADE
      ) STRICT
      """
    ],
    [
      """
      CREATE TABLE acceptance (         -- who accepted the corrections that somebody or something else proposed
        correction INTEGER PRIMARY KEY REFERENCES correction (id) ON DELETE CASCADE,
        person TEXT NOT NULL
      ) STRICT
      """,
      """
      CREATE TABLE former_acceptance (  -- the same of corrections as they were before a change
        revision INTEGER PRIMARY KEY REFERENCES change (revision) ON DELETE CASCADE,
        person TEXT NOT NULL
      ) STRICT
      """,
    ],
    [
      """
      CREATE TABLE shared (             -- the last that happened to each item and store, as other machines are told
        revision INTEGER PRIMARY KEY,   -- grows with each change: an item's last one has the only one
        store TEXT NOT NULL,
        key TEXT NOT NULL,
        time INTEGER NOT NULL,          -- the later one wins; when it was taught is in its correction
        item TEXT,                      -- of what was forgotten; what was taught is in its correction
        person TEXT,                    -- who forgot it
        UNIQUE (store, key)
      ) STRICT
      """,
      "INSERT INTO shared (store, key, time) SELECT store, key, time FROM correction ORDER BY id",
      """
      CREATE TABLE change_mark (        -- tells changes from those of the same number in another copy of the file
        revision INTEGER PRIMARY KEY,   -- the first one that was written with it
        mark INTEGER NOT NULL
      ) STRICT
      """,
      "INSERT INTO change_mark (revision, mark) VALUES (0, random())",
      """
      CREATE TABLE overruled (          -- the corrections that lost to a later change when machines met
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        store TEXT NOT NULL,
        key TEXT NOT NULL,
        item TEXT NOT NULL,
        section TEXT NOT NULL,
        shelf TEXT,
        proposer TEXT NOT NULL,
        model TEXT,
        person TEXT,
        time INTEGER NOT NULL,
        changed INTEGER NOT NULL,
        UNIQUE (store, key, changed, section, proposer)
      ) STRICT
      """,
      """
      CREATE TABLE server (             -- those that corrections are shared with
        url TEXT PRIMARY KEY,
        pulled TEXT,                    -- up to where its changes were taken up
        pushed INTEGER NOT NULL,        -- the last revision that it has
        proof TEXT                      -- a place in its changes that it reached with what was pushed
      ) STRICT, WITHOUT ROWID
      """,
    ],
  ]

  /// The first version that knows what to tell other machines.
  package static let firstVersionWithChanges = 5

  /// The number of steps.
  package static var version: Int32 { Int32(steps.count) }
}
