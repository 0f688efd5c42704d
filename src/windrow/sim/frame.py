from windrow.state.frame import Frame as Frame
