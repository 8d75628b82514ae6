package transcript

import "time"

// Bounds of one line.
const (
	// textRunes bounds what is kept of a prompt or an answer: a preview shows a screen at most.
	textRunes = 2000
	// labelRunes bounds titles, errors and queued prompts, which are shown on one line.
	labelRunes = 200
	// stringBytes is kept of each string in a line: textRunes even if each is escaped as \uXXXX.
	stringBytes = 16 << 10
	// crowdedBytes is how much of a line may be kept before strings are cut to briefBytes. A line
	// with hundreds of long results keeps its ids, which are all that is needed of it.
	crowdedBytes = 128 << 10
	briefBytes   = 128
	// shrunkBytes is the most that is kept of one line; a line that is larger still is skipped.
	shrunkBytes = 1 << 20
	// lineDepth is how deep values are kept: a tool's arguments stand at 5, the text of the first
	// question in them at 7.
	lineDepth = 8
	// bufferBytes is what a line buffer may keep between lines, so that one long line in the past
	// of a hundred files costs nothing.
	bufferBytes = 32 << 10
)

// Bounds of one session.
const (
	maxPending = 64 // parallel tool calls remembered
	maxQueued  = 20 // queued prompts remembered
	// recentMessages is how many API answers are open at once: the lines of one answer stand
	// close together, with results between them.
	recentMessages = 16
	// ledgerIDs is one generation of the message ids known to be counted; two are kept (3 MB).
	ledgerIDs = 64 << 10
)

// Bounds of reading.
const (
	// tailFirst is read when a file is opened: usually the last turn, and the titles, which newer
	// versions repeat at least every 64 KB.
	tailFirst = 128 << 10
	// tailMore is tried when nothing in the tail settles the state of the turn, tailMost last.
	tailMore = 512 << 10
	tailMost = 2 << 20
	// lineStartMost is how far back the start of one endless last line is looked for. Tool
	// results of 40 MB exist.
	lineStartMost = 64 << 20
	// catchUp is the most that is read to resume; after a longer absence the tail is cheaper.
	catchUp = 8 << 20
	// chunkBytes is one read.
	chunkBytes = 64 << 10
	// printBytes before the offset tell whether the file was rewritten in place since. The last
	// 300 of a record are the same in every record of a session; its time and id stand before.
	printBytes = 1 << 10
)

// Pace of the background count.
const (
	headStep = 256 << 10 // one piece: about a millisecond
	// headShare is the part of one core it may use: 1/200.
	headShare = 200
	// headDelay keeps the count out of the start of the board.
	headDelay = 3 * time.Second
	// lookCount is what a single look may count: under a tenth of a second.
	lookCount = 16 << 20
	// headRest is the shortest pause between two pieces, against waking up too often.
	headRest = 50 * time.Millisecond
)

// Pace of the watcher.
const (
	// pollEvery is the truth behind the notices: sizes and times of the files, nothing read.
	pollEvery = 2 * time.Second
	// pollBlind is the same where there are no notices.
	pollBlind = 250 * time.Millisecond
	// readEvery is the shortest time between two reads of one file: a burst of lines is read in a
	// few pieces.
	readEvery = 10 * time.Millisecond
	// sendEvery is the shortest time between two dull facts of one session.
	sendEvery = 100 * time.Millisecond
	// searchFirst to searchMost is how often all project folders are searched for a session that
	// is not where it should be; the time doubles with each failure.
	searchFirst = 2 * time.Second
	searchMost  = time.Minute
	// lingerFor is how long a session is still followed after it is no longer a target: Claude
	// writes the last lines of a turn after its status has changed.
	lingerFor = 3 * time.Second
	// keptFiles is how many files stay known (not open) after they are no longer targets, to be
	// resumed where they were left.
	keptFiles = 256
	// drainEvents bounds how many notices are taken at a time before files are read.
	drainEvents = 1024
)
