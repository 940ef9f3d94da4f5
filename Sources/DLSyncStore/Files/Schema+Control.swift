extension Schema {
  // Control from other terminals, the agent's work, and the log.
  static let version2 = """
    CREATE TABLE request (  -- commands to the process that runs the queue
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      task INTEGER NOT NULL,  -- its id: the task may be gone when the answer comes
      queue INTEGER NOT NULL REFERENCES queue,
      command TEXT NOT NULL,  -- key=value lines
      madeAt INTEGER NOT NULL,
      answeredAt INTEGER,
      code TEXT,  -- of a refusal, with the next two
      message TEXT,
      hint TEXT
    ) STRICT;
    CREATE TABLE standing (  -- what commands said about the order, of tasks that have not ended
      task INTEGER PRIMARY KEY REFERENCES task ON DELETE CASCADE,
      priority REAL,
      rank INTEGER
    ) STRICT;
    CREATE TABLE progress (  -- of running tasks, about once a second
      task INTEGER PRIMARY KEY REFERENCES task ON DELETE CASCADE,
      completed INTEGER NOT NULL,
      total INTEGER,
      speed REAL  -- bytes a second
    ) STRICT;
    CREATE TABLE work (  -- what the agent needs of a background task; header values until the task has ended
      task INTEGER PRIMARY KEY REFERENCES task ON DELETE CASCADE,
      entry TEXT NOT NULL  -- key=value lines
    ) STRICT;
    ALTER TABLE queue ADD COLUMN proxy TEXT;  -- of background queues: its URL, credentials included
    ALTER TABLE queue ADD COLUMN handed INTEGER NOT NULL DEFAULT 0;  -- grows when the agent has more to do
    ALTER TABLE queue ADD COLUMN hook TEXT;  -- of background queues: the command to be run at their end
    CREATE TABLE log (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      at INTEGER NOT NULL,
      event TEXT NOT NULL,  -- a state in which a task ended, or: begun, finished
      run INTEGER,  -- of runs and their tasks: the number of the line that tells their beginning
      scope TEXT NOT NULL,
      queue TEXT,
      task INTEGER,
      destination TEXT,
      url TEXT,
      bytes INTEGER,
      code TEXT,
      message TEXT,
      hint TEXT,
      exitStatus INTEGER,
      facts TEXT  -- key=value lines
    ) STRICT;
    CREATE INDEX logAt ON log (at);
    """

  // What the agent does is told at its end, whoever is the agent then; and it refreshes.
  static let version4 = """
    CREATE TABLE handed (  -- what became of the tasks that were handed over to the agent
      task INTEGER PRIMARY KEY REFERENCES task ON DELETE CASCADE,
      isTold INTEGER NOT NULL DEFAULT 0,  -- by the end of the queue
      state INTEGER,  -- in which the agent left it, with the next two; NULL before
      fetched INTEGER NOT NULL DEFAULT 0,  -- payload bytes that travelled
      error TEXT  -- key=value lines
    ) STRICT;
    ALTER TABLE queue ADD COLUMN isOwed INTEGER NOT NULL DEFAULT 0;  -- its end is yet to be told
    ALTER TABLE work ADD COLUMN isRefresh INTEGER NOT NULL DEFAULT 0;  -- the task is completed, and its server to be asked
    """
}
