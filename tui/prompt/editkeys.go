package prompt

// edit gives a key to the editor and reports whether it was one of its own. w is how many cells a
// row has.
func (e *editor) edit(key string, w int) bool {
	return e.travel(key, w) || e.delete(key)
}

// travel moves the cursor.
func (e *editor) travel(key string, w int) bool {
	switch key {
	case "left", "ctrl+b":
		e.moveTo(e.left())
	case "right", "ctrl+f":
		e.moveTo(e.right())
	case "ctrl+left", "alt+left", "alt+b":
		e.moveTo(e.wordLeft())
	case "ctrl+right", "alt+right", "alt+f":
		e.moveTo(e.wordRight())
	case "up", "ctrl+p":
		if !e.vertical(-1, w) {
			e.moveTo(0, 0)
		}
	case "down", "ctrl+n":
		if !e.vertical(1, w) {
			e.moveTo(e.y, len(e.lines[e.y].text))
		}
	case "pgup":
		e.vertical(-pageRows, w)
	case "pgdown":
		e.vertical(pageRows, w)
	case "home", "ctrl+a":
		from, _ := e.rowEdges(w)
		e.moveTo(e.y, from)
	case "end", "ctrl+e":
		_, to := e.rowEdges(w)
		e.moveTo(e.y, to)
	case "ctrl+home", "alt+<":
		e.moveTo(0, 0)
	case "ctrl+end", "alt+>":
		last := len(e.lines) - 1
		e.moveTo(last, len(e.lines[last].text))
	default:
		return false
	}
	return true
}

// pageRows is how far the page keys go: the prompt is a few rows high.
const pageRows = 5

// delete takes text away. What more than one character long goes can be put back with ctrl+y.
func (e *editor) delete(key string) bool {
	text := e.lines[e.y].text
	switch key {
	case "backspace", "ctrl+h":
		y, at := e.left()
		e.remove(y, at, e.y, e.at)
	case "delete", "ctrl+d":
		y, at := e.right()
		e.remove(e.y, e.at, y, at)
	case "ctrl+w", "alt+backspace", "ctrl+backspace":
		y, at := e.wordLeft()
		e.keep(e.remove(y, at, e.y, e.at))
	case "alt+d", "ctrl+delete", "alt+delete":
		y, at := e.wordRight()
		e.keep(e.remove(e.y, e.at, y, at))
	case "ctrl+u":
		e.keep(e.remove(e.y, 0, e.y, e.at))
	case "ctrl+k":
		if e.at < len(text) {
			e.keep(e.remove(e.y, e.at, e.y, len(text)))
		} else {
			y, at := e.right()
			e.keep(e.remove(e.y, e.at, y, at))
		}
	case "ctrl+y":
		e.insert(e.cut)
	default:
		return false
	}
	return true
}

func (e *editor) keep(text string) {
	if text != "" {
		e.cut = text
	}
}
